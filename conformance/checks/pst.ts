/** PST: posts. */
import { dataOf, detailsOf, documentOf, errorOf, isFetching, isObject, reasonOf, shown, type Json } from '../answer.ts';
import type { Look } from '../look.ts';
import type { Check, CheckContext, Exchange } from '../model.ts';
import { buckets, echoes, envelope, retryability, retryable, sameAnswer, sameDocuments, waits } from './batch.ts';
import { batches, check, documents, facts, placeOf, postBatchSteps, submitted, unavailableWith } from './check.ts';
import { matches } from './crb.ts';
import { firstRead, heldRead, miss, reRead } from './cre.ts';
import { amongBatch, asInBatches, postNamed } from './same.ts';

const bad = (look: Look, step: string, level: 'specification' | 'ruling' = 'specification'): void => {
  const exchange = look.step(step, level);
  if (exchange) look.refusal(exchange, 400, 'invalid-input', level);
};

/** The identifier of posts-batch that comes from the target's template for a state. */
const postIn = (context: CheckContext, state: 'broken' | 'old' | 'orphan' | 'missing'): string[] =>
  (context.planned('posts-batch')?.identifiers ?? []).filter((id) =>
    Object.values(context.target.networks).some(
      ({ posts }) => posts[state] !== undefined && matches(posts[state], id.replace(/^[a-z][A-Za-z0-9]*:(?!\/)/, '')),
    ),
  );

/** PST-04: exactly the keys asked for, each of them also when it is null. */
function analysisKeys(look: Look, exchange: Exchange, pointer: string, document: Json, asked: readonly string[]): void {
  const { analysis } = document;
  if (asked.length === 0)
    return void look.that(!('analysis' in document), exchange, `${pointer}/analysis`, 'no such key', analysis);
  if (!look.that(isObject(analysis), exchange, `${pointer}/analysis`, 'an object', analysis) || !isObject(analysis))
    return;
  for (const key of asked)
    look.that(key in analysis, exchange, `${pointer}/analysis/${key}`, 'this key, as include names it', 'no such key');
  for (const key of Object.keys(analysis))
    look.that(
      asked.includes(key),
      exchange,
      `${pointer}/analysis/${key}`,
      'no key that include does not name',
      analysis[key],
    );
}

/** What the target says fails on the service's side: by the extended profile, which alone reads it alone. */
function brokenAlone(look: Look, context: CheckContext): void {
  const broken = context.last('post-broken');
  if (!broken || isFetching(broken)) return;
  if (look.refusal(broken, 404, 'not-found'))
    look.that(
      detailsOf(broken)?.['retryable'] === true,
      broken,
      '/error/details/retryable',
      "true, as the failure is the service's",
      errorOf(broken),
    );
}

function oldAndOrphan(look: Look, context: CheckContext): void {
  const final = ['posts-batch', 'posts-get']
    .flatMap((step) => context.last(step) ?? [])
    .filter(({ response }) => response.status === 200);
  if (final.length === 0) return void look.step('posts-batch');
  for (const [state, reason] of [
    ['old', 'outside-recent-media-window'],
    ['orphan', 'author-unresolved'],
    ['missing', 'outside-recent-media-window'],
  ] as const) {
    const level = state === 'missing' ? 'ruling' : 'specification';
    const ids = postIn(context, state);
    if (ids.length === 0) look.miss(`the target declares no ${state} post`, level);
    for (const id of ids) {
      const settled = final.filter((exchange) => placeOf(exchange, id).in !== 'fetching');
      for (const exchange of settled) unavailableWith(look, exchange, id, reason, level);
      if (settled.length === 0) look.miss(`${id} was still being looked for`, level);
    }
  }
}

export const pst: readonly Check[] = [
  check('PST-01', (look, context) => {
    heldRead(look, ['post-analysis'], 'network');
    firstRead(look, context, 'post-fetch', 'posts');
    reRead(look, context, 'post-fetch');
    miss(look, context, 'post-missing', 'posts-batch');
    const missing = context.last('post-missing');
    const details = missing && detailsOf(missing);
    if (missing && details) retryability(look, missing, '/error/details', details);
    const single = context.last('post-analysis');
    const document = single && documentOf(single);
    const batch = context.last('posts-batch');
    if (single && document && batch)
      sameDocuments(look, dataOf(batch), single, [document], 'the same as its entry in a batch');
    amongBatch(look, context, 'post-analysis', batch);
    for (const step of ['post-fetch', 'post-analysis']) postNamed(look, context, step);
    const [network] = facts(context, 'post-analysis', 'network');
    if (single && document)
      look.that(document['network'] === network, single, '/data/network', shown(network), document['network']);
    brokenAlone(look, context);
  }),
  check('PST-02', (look, context) => {
    const steps = context.planned('one-post') ? [...postBatchSteps, 'one-post'] : postBatchSteps;
    envelope(look, context, steps);
    buckets(look, context, steps);
    waits(look, context, steps);
    echoes(look, context, steps);
    retryable(look, context, postBatchSteps, postIn(context, 'broken')[0]);
    const post = look.step('posts-batch');
    const get = look.step('posts-get');
    if (post?.response.status === 200 && get) sameAnswer(look, post, get, submitted(context, post));
    for (const step of ['post-analysis', 'post-missing']) asInBatches(look, context, step, postBatchSteps);
    const other = context.last('posts-other');
    if (get && other) sameDocuments(look, dataOf(get), other, dataOf(other), 'the same as under its other spelling');
  }),
  check('PST-03', (look) => {
    bad(look, 'posts-both');
    const neither = look.step('posts-neither', 'ruling');
    if (!neither) return;
    look.that(
      neither.response.status >= 400 && neither.response.status < 500,
      neither,
      'status',
      'to be refused',
      neither.response.status,
    );
    look.refusal(neither, 400, 'invalid-input', 'ruling');
  }),
  check('PST-04', (look, context) => {
    for (const [step, single] of [
      ['posts-get', false],
      ['post-analysis', true],
    ] as const) {
      const exchange = look.step(step);
      if (exchange?.response.status === 202) look.miss(`${step} was still being fetched`);
      if (exchange?.response.status !== 200) continue;
      if (!single && dataOf(exchange).length === 0) look.miss(`${step} had nothing in data`);
    }
    for (const { exchange, pointer, document } of documents(context, 'post'))
      analysisKeys(look, exchange, pointer, document, facts(context, exchange.step, 'include'));
  }),
  check('PST-05', (look) => bad(look, 'posts-include')),
  check('PST-06', (look, context) => {
    const exchange = look.step('posts-spellings');
    if (exchange) look.status(exchange, 200);
    const deep = context.last('deep-accepted');
    if (deep) look.status(deep, 200);
    for (const post of batches(context, ['posts-batch', 'posts-spellings'])) {
      for (const [index, document] of dataOf(post).entries())
        look.that(!('analysis' in document), post, `/data/${index}/analysis`, 'no such key', document['analysis']);
    }
  }),
  check('PST-07', (look, context) => {
    const single = look.step('post-unknown-url');
    if (single && look.refusal(single, 404, 'not-found'))
      look.that(
        reasonOf(single) === 'unparseable-identifier',
        single,
        '/error/details/reason',
        '"unparseable-identifier"',
        reasonOf(single),
      );
    for (const exchange of batches(context, ['posts-batch', 'posts-get'])) {
      for (const id of submitted(context, exchange))
        if (id.includes('unknown.invalid')) unavailableWith(look, exchange, id, 'unparseable-identifier');
    }
  }),
  check('PST-08', oldAndOrphan),
  check('PST-09', (look, { strict }) => {
    if (!strict) return;
    for (const step of ['post-analysis', 'creator-posts']) {
      const exchange = look.step(step, 'ruling');
      if (exchange) look.status(exchange, [200, 202], 'ruling');
    }
  }),
];
