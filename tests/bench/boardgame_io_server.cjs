// A toy game on boardgame.io, in memory: one move hands the chips of a pot to a player, and everybody is sent the state.
const { Server } = require('boardgame.io/server');

const SEATS = 8, POTS = 9;
const game = {
  name: 'toy',
  setup: () => ({ stacks: Array(SEATS).fill(1000), pots: Array(POTS).fill(10), taken: 0 }),
  moves: {
    take: ({ G }, pot, seat) => {
      G.stacks[seat] += G.pots[pot];
      G.pots[pot] = 10;
      G.taken += 1;
    },
  },
};
const server = Server({ games: [game], origins: [] });
server.run({ port: Number(process.argv[2]), callback: () => process.stdout.write('ready\n') });
