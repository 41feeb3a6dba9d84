/** STA: states. What a caller sees of them; the rest needs a hand on the service. */
import { isFetching } from '../answer.ts';
import type { Check } from '../model.ts';
import { check } from './check.ts';
import { reRead } from './cre.ts';

export const sta: readonly Check[] = [
  check('STA-04', (look, context) => {
    if (context.profile === 'core' || context.profile === 'rate-limit')
      return look.lacks('judged by --profile extended');
    const [first] = context.of('early-first');
    const again = look.step('early-again');
    if (!first || !again) return void look.step('early-first');
    if (!isFetching(first)) return look.miss('there was nothing to wait for');
    if (!look.status(again, [200, 202, 404])) return;
    reRead(look, context, 'early-first');
  }),
];
