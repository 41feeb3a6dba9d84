import { keyOf } from '../model.ts';
import { CommandError } from './arguments.ts';
import type { Verbs } from './command.ts';
import { entityNamed } from './named.ts';

/** The discovery is queued for whichever worker claims it first, on no account's behalf. */
const byAdmin = {
  account: 'admin',
  organization: 'admin',
  profile: null,
  deep: false,
} as const;

export const entity: Verbs = {
  show: {
    about: 'Show everything held of a creator or post',
    words: ['kind', 'network', 'name'],
    async run({ documents }, given) {
      const key = keyOf(entityNamed(given));
      const value = await documents.show(key);
      if (!value) throw new CommandError(`Nothing is held of ${key}`);
      return { line: JSON.stringify(value, null, 2), value };
    },
  },
  refresh: {
    about: 'Make what is held stale and queue its discovery',
    words: ['kind', 'network', 'name'],
    async run({ documents, discoveries }, given) {
      const key = keyOf(entityNamed(given));
      const wasHeld = await documents.expire(key);
      const started = (await discoveries.startOrJoin([{ key, waitSeconds: 5 }], byAdmin)).get(key)?.started ?? false;
      return {
        line: `${key}: ${started ? 'discovery queued' : 'none queued: a discovery is already under way, or the queue is full'}`,
        value: { key, wasHeld, started },
      };
    },
  },
  forget: {
    about: 'Remove everything held, for a creator also its posts (a privacy request)',
    words: ['kind', 'network', 'name'],
    async run({ documents }, given) {
      const named = entityNamed(given);
      const key = keyOf(named);
      const removed = await documents.forget(named);
      const line =
        removed === 0
          ? `Nothing was held of ${key}; a discovery of it, if one was under way, is ended`
          : `Forgot ${key}: ${removed} entities`;
      return { line, value: { ...named, removed } };
    },
  },
};
