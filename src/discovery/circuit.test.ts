import { describe, expect, it } from 'vitest';
import { createClock } from '../testing/engines.ts';
import { createCircuit } from './circuit.ts';

describe('F7 a circuit', () => {
  const opened = () => {
    const timer = createClock(0);
    const circuit = createCircuit(timer, { failures: 2, seconds: 15 });
    circuit.failed('a');
    circuit.failed('b');
    return { timer, circuit };
  };

  it('opens for different entities that fail, with no success between (F16)', () => {
    const circuit = createCircuit(createClock(0), { failures: 2, seconds: 15 });
    circuit.failed('a');
    circuit.failed('a');
    expect(circuit.isOpen()).toBe(false);
    circuit.succeeded();
    circuit.failed('b');
    expect(circuit.isOpen()).toBe(false);
    circuit.failed('c');
    expect([circuit.isOpen(), circuit.admits()]).toEqual([true, false]);
  });

  it('lets one probe through when its time has come, and another when that said nothing', () => {
    const { timer, circuit } = opened();
    timer.pass(14_999);
    expect(circuit.admits()).toBe(false);
    timer.pass(1);
    expect([circuit.admits(), circuit.admits()]).toEqual([true, false]);
    circuit.undecided();
    expect(circuit.admits()).toBe(true);
    circuit.succeeded();
    expect([circuit.isOpen(), circuit.admits(), circuit.admits()]).toEqual([false, true, true]);
  });

  it('stays open twice as long after each probe that fails, five minutes at most, and as at first after a success', () => {
    const { timer, circuit } = opened();
    const waits: number[] = [];
    for (let probe = 0; probe < 7; probe += 1) {
      const from = timer();
      while (!circuit.admits()) timer.pass(1_000);
      waits.push((timer() - from) / 1_000);
      circuit.failed('a');
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 300, 300]);
    circuit.succeeded();
    circuit.failed('a');
    circuit.failed('b');
    timer.pass(15_000);
    expect(circuit.admits()).toBe(true);
  });
});
