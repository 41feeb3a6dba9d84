/** The checks by id. A test compares them with spec/rules.md: every rule that can be seen from outside has one. */
import type { Check } from '../model.ts';
import { aut } from './aut.ts';
import { crb } from './crb.ts';
import { cre } from './cre.ts';
import { doc } from './doc.ts';
import { err, ver } from './err.ts';
import { gen } from './gen.ts';
import { ids } from './ids.ts';
import { org } from './org.ts';
import { pst } from './pst.ts';
import { rat } from './rat.ts';
import { sta } from './sta.ts';

export const checks: ReadonlyMap<string, Check> = new Map(
  [...gen, ...aut, ...org, ...rat, ...ids, ...cre, ...crb, ...pst, ...doc, ...sta, ...err, ...ver].map((check) => [
    check.id,
    check,
  ]),
);
