import { describe, expect, it } from 'vitest';
import { chanceOf, createSchedule } from './schedule.ts';
import { createSimulator, type Simulated, type SimulationOptions } from './simulate.ts';

/** The others belong to `npm run simulate`. */
const firstSeeds = 40;

const replaced = (text: string, by: string) => (sql: string) => sql.replace(text, by);

describe('several nodes under a seeded schedule', () => {
  it('STA-01 STA-03 STA-06 CRB-02 F3 F4: no double discovery, no late write, no lost document, nobody left waiting', async () => {
    const simulator = await createSimulator();
    const sum = { reads: 0, calls: 0, crashes: 0 };
    for (let seed = 1; seed <= firstSeeds; seed += 1) {
      const simulated = await simulator
        .simulate(seed)
        .catch((error: Error) => expect.fail(`seed ${seed}: ${error.message}`));
      for (const name of ['reads', 'calls', 'crashes'] as const) sum[name] += simulated[name];
    }
    expect(
      Object.values(sum).every((count) => count >= firstSeeds / 2),
      JSON.stringify(sum),
    ).toBe(true);
    await simulator.close();
  }, 60_000);

  it('the same seed gives the same minute', async () => {
    const lives: Simulated[] = [];
    for (const _ of [1, 2]) {
      const simulator = await createSimulator();
      await simulator.simulate(6 + lives.length);
      lives.push(await simulator.simulate(8));
      await simulator.close();
    }
    expect(lives[0]).toEqual(lives[1]);
  });

  it.each<[string, SimulationOptions]>([
    ['takes the leases of others', { alter: replaced("where work.state = 'idle'", 'where true') }],
    ['ends what is not its own', { alter: replaced('and owner = $2 and started_at = $3', 'and $2 = $2 and $3 = $3') }],
    ['writes without a claim', { alter: replaced('(cast($12 as text) is null', '($12 = $12') }],
    ['leaves the work of the dead', { alter: replaced("where state = 'running'", 'where false') }],
    ['does not count attempts', { alter: replaced('else attempts + 1 end', 'else 1 end') }],
    ['tells nobody what it changed', { notifies: false }],
    [
      'lets the forgotten come back',
      { alter: replaced("state = 'running' and key like 'post:%'", 'false and $1 = $1') },
    ],
  ])(
    'sees a store that %s',
    async (_, fault) => {
      const simulator = await createSimulator(fault);
      const seen = async (): Promise<boolean> => {
        for (let seed = 1; seed <= 300; seed += 1)
          if (
            await simulator.simulate(seed).then(
              () => false,
              () => true,
            )
          )
            return true;
        return false;
      };
      expect(await seen()).toBe(true);
      await simulator.close();
    },
    60_000,
  );
});

describe('the schedule', () => {
  it('takes the steps of one that is paused later, and those of one that has crashed never', async () => {
    const schedule = createSchedule(chanceOf(1), 0);
    const taken: string[] = [];
    for (const owner of ['killed', 'stopped', 'well']) schedule.after(owner, 5, () => taken.push(owner));
    schedule.crash('killed');
    schedule.pause('stopped', 20);
    await schedule.run(19);
    expect([taken, schedule.now()]).toEqual([['well'], 19]);
    await schedule.run(30);
    expect(taken).toEqual(['well', 'stopped']);
  });
});
