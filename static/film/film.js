// The film of a night. <night-film> reads its frames from the JSON in it and draws them: what everybody has, and the chips
// on their way. Every number is in the frames; nothing is worked out here. The same file plays in a page and in a file
// without a network.
(() => {
  "use strict";
  const flightSeconds = 0.75, spreadSeconds = 0.25, mostChips = 72;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const ease = (part) => (part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part));
  const between = (from, to, part) => from + (to - from) * part;

  /** A frame as an object, from its row in the JSON (tracker/extras/film/player.py). */
  const frameOf = ([seconds, hand, caption, balances, flat, sizes, ranks, dealer, moment], start) => {
    const transfers = [];
    for (let at = 0; at < flat.length; at += 3) transfers.push(flat.slice(at, at + 3));
    return { seconds, start, hand, caption, balances, transfers, targets: new Set(transfers.map((one) => one[1])), sizes, ranks, dealer, moment };
  };

  class NightFilm extends HTMLElement {
    connectedCallback() {
      if (this.frames) return;
      const data = JSON.parse(this.querySelector("script").textContent);
      let start = 0;
      this.frames = data.frames.map((row) => {
        const frame = frameOf(row, start);
        start += frame.seconds;
        return frame;
      });
      this.seconds = start + flightSeconds;
      this.pileSizes = data.piles;
      this.times = data.times;
      this.now = 0;
      this.isRace = this.classList.contains("race");
      this.findParts(data.accounts);
      this.listen();
      new ResizeObserver(() => { this.spots = null; this.draw(); }).observe(this);
      if ("starts" in this.dataset) this.play();
    }

    $(selector) { return this.querySelector(selector); }

    findParts(accounts) {
      const found = new Map([...this.querySelectorAll("[data-account]")].map((one) => [one.dataset.account, one]));
      this.parts = accounts.map((account) => found.get(account) || null);
      this.seatCount = this.querySelectorAll(".film-seat, .film-runner").length;
      this.pool = [];
      const totals = this.frames.flatMap((frame) => frame.balances);
      this.low = this.isRace ? Math.min(0, ...totals) : 0;
      this.high = this.isRace ? Math.max(1, ...totals) : 0;
      this.slider = this.$(".film-slider");
      this.slider.max = this.seconds;
      this.$(".film-bar").hidden = this.$(".film-start").hidden = false;
      this.setAttribute("data-ready", "");
      this.showPlaying();
    }

    listen() {
      this.$(".film-play").addEventListener("click", () => (this.isPlaying ? this.pause() : this.play()));
      this.$(".film-start").addEventListener("click", () => this.play());
      this.$(".film-back").addEventListener("click", () => this.step(-1));
      this.$(".film-next").addEventListener("click", () => this.step(1));
      this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
      this.slider.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        this.step(by);
      });
    }

    // ---- time ----
    play() {
      if (this.now >= this.seconds) this.now = 0;
      this.isPlaying = true;
      this.dataset.begun = "";
      this.showPlaying();
      let before = performance.now();
      const tick = (time) => {
        if (!this.isPlaying || !this.isConnected) return;
        this.now = Math.min(this.seconds, this.now + Math.min(0.1, Math.max(0, time - before) / 1000));
        before = time;
        this.draw();
        if (this.now >= this.seconds) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }

    pause() {
      this.isPlaying = false;
      this.showPlaying();
    }

    seek(seconds) {
      this.dataset.begun = "";
      this.now = seconds;
      this.draw();
    }

    /** One frame on or back, shown as it is when its chips have landed. */
    step(by) {
      this.pause();
      const at = this.frameAt(this.now) + by;
      this.seek(at >= this.frames.length ? this.seconds : Math.max(0, this.endOf(Math.max(0, at))));
    }

    endOf(at) {
      const frame = this.frames[at];
      return at === this.frames.length - 1 ? this.seconds - 0.01 : frame.start + frame.seconds - 0.001;
    }

    frameAt(seconds) {
      let low = 0, high = this.frames.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.frames[middle].start <= seconds) low = middle;
        else high = middle - 1;
      }
      return low;
    }

    // ---- what is drawn ----
    draw() {
      if (!this.spots) this.measure();
      const at = this.frameAt(this.now), frame = this.frames[at];
      this.toggleAttribute("data-ended", this.now >= this.seconds);
      if (this.isRace) this.drawRace(at);
      else this.drawBoard(at);
      this.drawWords(frame);
      this.slider.value = this.now;
      }

    /** Whether the chips of a frame are still on their way. */
    isFlying(at) {
      return at > 0 && !still.matches && this.now < this.frames[at].start + flightSeconds;
    }

    /** The frame whose balance of an account is shown: what flies to it counts when it has landed. */
    landed(account, at) {
      let shown = at;
      while (shown > 0 && this.frames[shown].targets.has(account) && this.isFlying(shown)) shown -= 1;
      return shown;
    }

    drawBoard(at) {
      this.parts.forEach((part, account) => {
        if (!part) return;
        const shown = this.landed(account, at), frame = this.frames[shown];
        const isSeat = account < this.seatCount;
        const size = isSeat ? "" : `v${frame.sizes[account - this.seatCount]}`;
        const mark = `${frame.balances[account]} ${size}`;
        if (part.drawn !== mark) this.drawAccount(part, frame.balances[account], size);
        part.drawn = mark;
        if (isSeat) part.classList.toggle("deals", frame.dealer === account);
        const since = this.now - this.frames[at].start - flightSeconds;
        const grows = !still.matches && frame.targets.has(account) && shown === at && since < 0.3 ? Math.sin((since / 0.3) * Math.PI) * 0.2 : 0;
        part.querySelector(".n").style.transform = grows > 0 ? `scale(${1 + grows})` : "";
      });
      this.drawFlights(at);
    }

    drawAccount(part, chips, size) {
      const number = part.querySelector(".n");
      number.textContent = chips;
      number.classList.toggle("n4", chips > 999);
      if (!size) return;
      part.classList.remove("v0", "v1", "v2", "v3");
      part.classList.add(size);
      number.classList.toggle("n3", chips > 99);
      const drawn = this.pileSizes[Math.min(chips, this.pileSizes.length - 1)];
      part.querySelector(".pile use").setAttribute("href", drawn ? `#${part.dataset.colouring}${drawn}` : "#");
    }

    drawFlights(at) {
      let used = 0;
      for (let one = at; this.isFlying(one) && used < mostChips; one -= 1) used = this.drawFlight(this.frames[one], used);
      this.pool.slice(used).forEach((chip) => chip.setAttribute("visibility", "hidden"));
    }

    drawFlight(frame, used) {
      const many = frame.transfers.length > 12 ? 1 : frame.transfers.length > 4 ? 3 : 7;
      const flying = frame.transfers.flatMap(([source, target, chips]) => Array(Math.min(many, chips)).fill([source, target]));
      const trip = flightSeconds - spreadSeconds, count = Math.min(flying.length, mostChips - used);
      for (let one = 0; one < count; one += 1) {
        const from = this.spots[flying[one][0]], to = this.spots[flying[one][1]];
        const part = (this.now - frame.start - spreadSeconds * (one / Math.max(1, count - 1))) / trip;
        this.drawChip(used + one, part, from, to, one);
      }
      return used + count;
    }

    drawChip(at, part, from, to, nth) {
      const chip = this.pool[at] || this.newChip(at);
      const isSeen = part > 0 && part < 1;
      chip.setAttribute("visibility", isSeen ? "visible" : "hidden");
      if (!isSeen) return;
      const gone = ease(part), lift = Math.sin(gone * Math.PI);
      const arc = Math.min(60, Math.hypot(to.x - from.x, to.y - from.y) * 0.2);
      const x = between(from.x, to.x, gone) + lift * (((nth * 7) % 5) - 2) * 6;
      const y = between(from.y, to.y, gone) - lift * (arc + ((nth * 3) % 4) * 4);
      const side = between(from.side, to.side, gone) * (1 + lift * 0.1);  // of the square in which a pile is drawn
      for (const [name, value] of [["width", side], ["height", side], ["x", -side / 2], ["y", -side / 2]]) chip.setAttribute(name, value.toFixed(1));
      chip.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${(gone * 160 + nth * 40).toFixed(0)})`);
    }

    newChip(at) {
      const chip = document.createElementNS("http://www.w3.org/2000/svg", "use");
      chip.setAttribute("href", `#f${at % 4}`);
      this.$(".film-chips").append(chip);
      this.pool[at] = chip;
      return chip;
    }

    drawRace(at) {
      const frame = this.frames[at], before = this.frames[Math.max(0, at - 1)];
      const part = this.isFlying(at) ? ease((this.now - frame.start) / flightSeconds) : 1;
      const across = (value) => (100 * (value - this.low)) / (this.high - this.low);
      this.parts.forEach((runner, seat) => {
        const reached = across(between(before.balances[seat], frame.balances[seat], part)), zero = across(0);
        const run = runner.querySelector(".run");
        run.style.left = `${Math.min(zero, reached)}%`;
        run.style.width = `${Math.abs(reached - zero)}%`;
        const place = between(before.ranks[seat] ?? seat, frame.ranks[seat] ?? seat, part);
        runner.style.transform = `translateY(${(place - seat) * this.rowHeight}px)`;
        runner.querySelector(".n").textContent = String((part < 0.5 ? before : frame).balances[seat]).replace("-", "\u2212");
      });
    }

    drawWords(frame) {
      if (this.announced === frame) return;
      this.announced = frame;
      const hand = frame.hand ? this.dataset.handWord.replace("#", frame.hand) : "";
      this.$(".film-hand").textContent = [hand, this.times[frame.hand - 1]].filter(Boolean).join("\n");
      this.$(".film-caption").textContent = frame.caption;
      this.$(".film-moment").textContent = frame.moment;
      this.$(".film-words").classList.toggle("best", Boolean(frame.moment));
      this.slider.setAttribute("aria-valuetext", [hand, frame.caption].filter(Boolean).join(": "));
    }

    showPlaying() {
      this.toggleAttribute("data-playing", Boolean(this.isPlaying));
      this.$(".film-play").setAttribute("aria-label", this.isPlaying ? this.dataset.pause : this.dataset.play);
      this.$(".film-caption").setAttribute("aria-live", this.isPlaying ? "off" : "polite");
    }

    /** Where each account is on the stage, and how wide the square of its pile is, for chips that fly there; the bank
        is at the middle of the lower edge, and it and seats have chips as wide as those of a place. */
    measure() {
      const stage = this.$(".film-chips").getBoundingClientRect();
      const side = this.$(".pile")?.getBoundingClientRect().width || 0;
      this.spots = this.parts.map((part) => {
        const pile = part?.querySelector(".pile"), box = (pile || part?.querySelector(".tok") || part)?.getBoundingClientRect();
        if (!box) return { x: stage.width / 2, y: stage.height, side };
        return { x: box.left + box.width / 2 - stage.left, y: box.top + box.height / 2 - stage.top, side: pile ? box.width : side };
      });
      this.rowHeight = this.isRace ? this.$(".film-race").getBoundingClientRect().height / this.parts.length : 0;
    }
  }
  if (!customElements.get("night-film")) customElements.define("night-film", NightFilm);
})();
