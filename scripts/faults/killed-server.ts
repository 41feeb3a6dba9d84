import { eventually, leftOver, pause, type Bench } from './bench.ts';
import { exactly, type Fault, type Figure } from './fault.ts';
import { callersOf, Told } from './told.ts';

/** So many deaths in a row may meet one discovery, none of which is its fault. */
const settings = { DISCOVERY_ATTEMPTS: '20' };

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const token = await store.issue(1_000_000);
  source.behave = async (_call, reply) => {
    await pause(50);
    reply.proper();
  };
  const told = new Told();
  const kills = bench.quick ? 2 : 6;
  for (let kill = 1; kill <= kills; kill += 1) {
    const node = await bench.node(store, source, `life${kill}`, settings);
    let going = true;
    const load = told.load(callersOf(bench, 6, node.port, token), `life${kill}`, () => going);
    await pause(800 + bench.random() * 1_500);
    node.signal('SIGKILL');
    going = false;
    await load;
    bench.say(`killed ${kill} of ${kills}: asked for ${told.asked.size}, told as held ${told.held.size}`);
  }
  await bench.node(store, source, 'last', settings);
  // Nobody asks any more: what was told to be fetched comes out of the queue that survived.
  const [asked, held] = [told.keys('asked'), told.keys('held')];
  await eventually(async () => (await store.held(asked)) === asked.length, 60, 250);
  return [
    exactly(`documents lost, of ${held.length} told as held`, held.length - (await store.held(held)), 0),
    exactly(`discoveries lost, of ${asked.length} asked for`, asked.length - (await store.held(asked)), 0),
    exactly('discoveries left', await leftOver(store), 0),
    exactly(`wrong statuses (${told.tally})`, told.tally.count(400, 401, 403, 404, 429, 500, 503), 0),
  ];
}

export const killedServer: Fault = {
  id: 'F5',
  title: 'server killed under load, restarted on the same store',
  mustHold: 'documents and queue survive',
  engines: ['sqlite', 'postgres'],
  run,
};
