import { entityOf, keyOf } from '../model.ts';
import { Failed } from './arguments.ts';
import type { Verbs } from './command.ts';
import { entityNamed } from './named.ts';

const adminLeaseSeconds = 15;

export const entity: Verbs = {
  show: {
    about: 'Show all that is held of a creator or post',
    words: ['kind', 'network', 'name'],
    async run({ documents }, given) {
      const key = keyOf(entityNamed(given));
      const value = await documents.show(key);
      if (!value) throw new Failed(`Nothing is held of ${key}`);
      return { line: JSON.stringify(value, null, 2), value };
    },
  },
  refresh: {
    about: 'Make what is held stale and queue its discovery',
    words: ['kind', 'network', 'name'],
    async run({ documents, discoveries }, given) {
      const key = keyOf(entityNamed(given));
      const stale = await documents.expire(key);
      const by = {
        owner: null,
        leaseSeconds: adminLeaseSeconds,
        account: 'admin',
        organization: 'admin',
        profile: null,
        deep: false,
      };
      const started = (await discoveries.startOrJoin([{ key, waitSeconds: 5 }], by)).get(key)?.started ?? false;
      return {
        line: `${key}: ${started ? 'discovery queued' : 'a discovery is already under way'}`,
        value: { key, wasHeld: stale, started },
      };
    },
  },
  forget: {
    about: 'Remove all that is held, of a creator its posts too (a privacy request)',
    words: ['kind', 'network', 'name'],
    async run({ documents }, given) {
      const named = entityNamed(given);
      const removed = await documents.forget(named);
      const line =
        removed === 0 ? `Nothing was held of ${keyOf(named)}` : `Forgot ${keyOf(named)}: ${removed} entities`;
      return { line, value: { ...entityOf(keyOf(named)), removed } };
    },
  },
};
