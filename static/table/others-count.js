// What another phone has said of a hand that is being counted is told, most of all where this phone had said something
// else; and a number that is too large for a pad is refused with a word.
(() => {
  "use strict";
  const words = document.getElementById("live").dataset;
  const said = new Map(), own = new Map();  // by seat: what the server had when this page looked last; what was said here
  let counted = "";
  const tell = (sentence) => document.dispatchEvent(new CustomEvent("say", { detail: sentence }));
  window.othersCount = {
    own(seat, number) { own.set(seat, number); },
    // Rows of a count, each { seat, name, said }, and what is being typed by seat; returns the seats that were told of.
    look(count, rows, typing) {
      const isNew = count !== counted;
      if (isNew) { said.clear(); own.clear(); }
      counted = count;
      const news = rows.filter((row) => !isNew && said.has(row.seat) && said.get(row.seat) !== row.said && own.get(row.seat) !== row.said);
      const sentences = news.map((row) => {
        const had = typing[row.seat] || own.get(row.seat);
        const now = row.said.replace("-", "−") || "–";
        if (!had) return `${row.name}: ${now}`;
        return `${words.otherPhone.replace("@", row.name).replace("#", now)} (${words.had.replace("#", had.replace("-", "−"))})`;
      });
      if (sentences.length) tell(sentences.join(". "));
      for (const row of rows) said.set(row.seat, row.said);
      for (const { seat } of news) own.delete(seat);
      return news.map((row) => row.seat);
    },
    refuse(one, most) {
      window.refuse(one);
      tell(words.atMost.replace("#", most.toLocaleString(document.documentElement.lang)));
    },
  };
})();
