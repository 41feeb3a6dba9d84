import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../ending.ts';
import { Balancer } from './balancer.ts';
import { leftOver, pause, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { doubleCalls } from './doubles.ts';
import { everyday } from './everyday.ts';
import { exactly, NotRun, type Fault, type Figure } from './fault.ts';
import { callersOf } from './told.ts';

const here = join(import.meta.dirname, '../..');
/** So many commits back is the older version. */
const older = 'HEAD~20';
const settings = { LEASE_SECONDS: '10', DRAIN_SECONDS: '20', PATIENCE_MILLISECONDS: '10000' };

/** @throws NotRun where the history is not there, as in a shallow clone. */
function olderCheckout(bench: Bench): { folder: string; commit: string } {
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { cwd: here, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 28 });
  let commit: string;
  try {
    commit = git('rev-parse', '--short', older).toString().trim();
  } catch {
    throw new NotRun(`the checkout has no history back to ${older}`);
  }
  const folder = bench.owns(temporaryFolder('faults-older-'), (each) => rmSync(each, { recursive: true }));
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) });
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  return { folder, commit };
}

async function run(bench: Bench): Promise<Figure[]> {
  const { folder, commit } = olderCheckout(bench);
  const [store, source] = [await bench.store(), await bench.source()];
  source.behave = async (_call, reply) => {
    await pause(100);
    reply.proper();
  };
  const balancer = bench.owns(new Balancer(), (each) => each.close());
  const start = (name: string, checkout?: string) =>
    bench.node(store, source, name, settings, checkout === undefined ? {} : { checkout });
  const names = ['a', 'b', 'c', 'd'];
  const nodes = await Promise.all(names.map((name, index) => start(name, index < 3 ? folder : undefined)));
  names.forEach((name, index) => balancer.nodes.set(name, nodes[index]!));
  await balancer.look();
  await balancer.listen();
  const [tally, ends] = [new Tally(), new Map<string, number>()];
  let going = true;
  const load = everyday(callersOf(bench, 12, balancer.port, await store.issue(1_000_000)), tally, () => going);
  // Three older and one new; then one after the other of the older ones is replaced.
  for (const name of names.slice(0, bench.quick ? 1 : 3)) {
    await pause(2_000);
    const node = balancer.nodes.get(name)!;
    const from = performance.now();
    node.signal('SIGTERM');
    await node.ended;
    ends.set(name, from);
    balancer.nodes.set(name, await start(`${name}-new`));
    bench.say(`${name} replaced; ${tally}`);
  }
  await pause(2_000);
  going = false;
  await load;
  return [
    exactly(`failed requests, of ${tally.total} (${tally}), on versions ${commit} and this`, tally.others(200, 202), 0),
    exactly(
      `discovered twice, of ${source.calls.length}, but what a stopped process gave back`,
      doubleCalls(source.calls, ends).length,
      0,
    ),
    exactly('discoveries left', await leftOver(store), 0),
  ];
}

export const oldAndNew: Fault = {
  id: 'F19',
  title: 'four processes on one store, older and new version together, under load, while the older are replaced',
  mustHold: 'as with one',
  engines: ['sqlite', 'postgres'],
  run,
};
