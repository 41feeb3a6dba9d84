/** CRB: a batch of creators. */
import { dataOf, documentOf } from '../answer.ts';
import type { Check, CheckContext } from '../model.ts';
import { buckets, echoes, envelope, retryable, sameAnswer, sameDocuments, waits } from './batch.ts';
import { batches, check, creatorBatchSteps, submitted } from './check.ts';
import { asInBatches } from './same.ts';

const steps = [...creatorBatchSteps, 'one-creator', 'rate-batch'];

const brokenCreator = (context: CheckContext): string | undefined =>
  (context.planned('creators-batch')?.identifiers ?? []).find((id) => isBroken(context, id));

/** Whether an identifier is what the target's template for a failing creator gives. */
const isBroken = ({ target }: CheckContext, id: string): boolean =>
  Object.values(target.networks).some(({ creators }) => creators.broken !== undefined && matches(creators.broken, id));

export const matches = (template: string, id: string): boolean => {
  const [before = '', after = ''] = template.split('{uuid}', 2);
  return template.includes('{uuid}')
    ? id.startsWith(before) && id.endsWith(after) && before + after !== ''
    : id === template;
};

export const crb: readonly Check[] = [
  check('CRB-01', (look, context) =>
    envelope(look, context, context.planned('one-creator') ? [...creatorBatchSteps, 'one-creator'] : creatorBatchSteps),
  ),
  check('CRB-02', (look, context) => {
    for (const step of creatorBatchSteps) look.step(step);
    buckets(look, context, steps);
  }),
  check('CRB-03', (look, context) => {
    const found = batches(context, steps).filter((exchange) => dataOf(exchange).length > 0);
    for (const exchange of found) {
      for (const [index, document] of dataOf(exchange).entries())
        look.that(!('posts' in document), exchange, `/data/${index}/posts`, 'no such key', document['posts']);
    }
    if (found.length === 0) look.miss('no batch had anything in data');
  }),
  check('CRB-04', (look, context) => waits(look, context, steps)),
  check('CRB-05', (look, context) => echoes(look, context, steps)),
  check('CRB-06', (look, context) => retryable(look, context, creatorBatchSteps, brokenCreator(context))),
  check('CRB-07', (look, context) => {
    const post = look.step('creators-batch');
    const get = look.step('creators-get');
    if (!post || !get) return;
    if (post.response.status !== 200) return look.miss('the POST was not answered 200');
    sameAnswer(look, post, get, submitted(context, post));
    for (const step of ['creator-held', 'creator-posts', 'creator-fetch']) {
      const single = context.last(step);
      const document = single && documentOf(single);
      if (single && document) sameDocuments(look, dataOf(get), single, [document], 'the same as its entry in a batch');
      asInBatches(look, context, step, creatorBatchSteps);
    }
    for (const step of ['creator-missing', 'creator-broken']) asInBatches(look, context, step, creatorBatchSteps);
  }),
  check('CRB-08', (look, { strict }) => {
    const large = strict ? look.step('posts-spellings', 'ruling') : undefined;
    if (large) look.status(large, 200, 'ruling');
    for (const step of ['creators-not-json', 'posts-ids-string']) {
      const exchange = look.step(step);
      if (exchange) look.refusal(exchange, 400, 'invalid-input');
    }
  }),
];
