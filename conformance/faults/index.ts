/** All faults written by hand, in the order of the rules. */
import type { Fault } from '../model.ts';
import type { Target } from '../target.ts';
import { aut } from './aut.ts';
import { crb } from './crb.ts';
import { cre } from './cre.ts';
import { doc } from './doc.ts';
import { err } from './err.ts';
import { extended } from './extended.ts';
import { forgotten } from './forgotten.ts';
import { gen } from './gen.ts';
import { hurried } from './hurried.ts';
import { ids } from './ids.ts';
import { mixedUp } from './mixed-up.ts';
import { organization } from './org.ts';
import { pst } from './pst.ts';
import { rat } from './rat.ts';

export const faults = (target: Target): Fault[] =>
  [gen, aut, organization, rat, ids, cre, crb, pst, doc, err, extended, hurried, forgotten, mixedUp].flatMap((rows) =>
    rows(target),
  );
