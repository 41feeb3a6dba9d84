/** ORG: acting for another organization. */
import { errorOf, shown } from '../answer.ts';
import type { Look } from '../look.ts';
import type { Check, CheckContext, Exchange } from '../model.ts';
import { answered, check, facts, placeOf } from './check.ts';

const slugOf = (context: CheckContext, step: string): string => facts(context, step, 'slug')[0] ?? '';

/** A text of an answer without the slug that was asked for and the request's id, so that two can be compared. */
const neutral = (context: CheckContext, exchange: Exchange, text = exchange.response.body): string =>
  text
    .replaceAll(slugOf(context, exchange.step) || '\0', '{slug}')
    .replace(/\s+/g, ' ')
    .replaceAll(requestIdOf(exchange) || '\0', '{id}');

/** What the contract names of the error, which may stand beside a timestamp or a path of the implementation's own. */
function told(context: CheckContext, exchange: Exchange): string {
  const { code, message, details } = errorOf(exchange);
  return neutral(context, exchange, JSON.stringify([code, message, details]));
}

const requestIdOf = ({ response }: Exchange): string =>
  response.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1] ?? '';

function accepted(look: Look, step: string, declared: unknown, what: string, statuses: readonly number[]): void {
  if (declared === undefined) return look.miss(`the target declares no ${what}`);
  const exchange = look.step(step);
  if (exchange) look.status(exchange, statuses);
}

/** A target whose refusals all read alike (in another language, say) can't be held to what a message repeats. */
const saysNothing = (context: CheckContext, exchange: Exchange): boolean =>
  answered(context).filter(
    (other) => other.step !== exchange.step && errorOf(other)['message'] === errorOf(exchange)['message'],
  ).length >= 2;

export const org: readonly Check[] = [
  check('ORG-01', (look, { target }) => {
    accepted(
      look,
      'creators-other',
      target.organizations.member,
      'organization of which the caller is a member',
      [200],
    );
    accepted(
      look,
      'posts-spellings',
      target.organizations.member,
      'organization of which the caller is a member',
      [200],
    );
  }),
  check('ORG-02', (look, { target }) => {
    accepted(
      look,
      'post-analysis',
      target.organizations.delegated,
      'organization that delegated a role',
      [200, 202, 404],
    );
    accepted(look, 'creators-hundred', target.organizations.delegated, 'organization that delegated a role', [200]);
    const single = look.context.last('post-analysis');
    if (single?.response.status === 404)
      look.that(
        errorOf(single)['details'] !== undefined,
        single,
        '/error',
        'the post, or why it cannot be had',
        errorOf(single),
      );
  }),
  check('ORG-03', (look, context) => {
    const known = look.step('asorg-without-role');
    if (known) look.refusal(known, 403, 'forbidden');
    const unknown = look.step('asorg-unknown', 'ruling');
    if (!known || !unknown || !look.refusal(unknown, 403, 'forbidden', 'ruling')) return;
    look.that(
      neutral(context, known) === neutral(context, unknown),
      unknown,
      '',
      `the very bytes of ${known.id}: ${shown(known.response.body)}`,
      unknown.response.body,
      'ruling',
    );
  }),
  check('ORG-04', (look, context) => {
    const exchange = look.step('asorg-id');
    if (!exchange || !look.refusal(exchange, 404, 'not-found')) return;
    look.noDetails(exchange);
    const message = String(errorOf(exchange)['message']);
    if (message.includes(slugOf(context, 'asorg-id'))) return;
    if (saysNothing(context, exchange))
      look.note('the message does not repeat the id, nor does any message here say anything particular');
    else look.fail(exchange, '/error/message', `the id ${slugOf(context, 'asorg-id')} in it`, message);
  }),
  check('ORG-05', (look, { target, strict }) => {
    if (strict && target.organizations.own === undefined)
      return look.miss("the target declares no slug of the credential's own organization", 'ruling');
    const exchange = strict ? look.step('creator-held', 'ruling') : undefined;
    if (exchange) look.status(exchange, [200, 202], 'ruling');
  }),
  check('ORG-06', (look, { target }) => {
    accepted(look, 'creator-fetch', target.profiles.own, "profile of the caller's organization", [200, 202, 404]);
    const exchange = look.context.first('creator-fetch');
    if (exchange?.response.status === 404)
      look.that(
        errorOf(exchange)['details'] !== undefined,
        exchange,
        '/error',
        'the profile accepted',
        errorOf(exchange),
      );
    for (const step of ['creators-batch', 'creators-get', 'creators-hundred', 'posts-batch', 'posts-get'])
      accepted(look, step, target.profiles.own, "profile of the caller's organization", [200]);
  }),
  check('ORG-07', (look, context) => {
    const unknown = look.step('asprofile-unknown');
    const foreign = look.step('asprofile-foreign');
    for (const exchange of [unknown, foreign])
      if (exchange && look.refusal(exchange, 404, 'not-found')) look.noDetails(exchange);
    if (!unknown || !foreign) return;
    look.that(
      told(context, unknown) === told(context, foreign),
      foreign,
      '/error',
      `the error of ${unknown.id}: ${shown(unknown.response.body)}`,
      foreign.response.body,
    );
    look.that(
      neutral(context, unknown) === neutral(context, foreign),
      foreign,
      '',
      `the bytes of ${unknown.id}: ${shown(unknown.response.body)}`,
      foreign.response.body,
      'ruling',
    );
  }),
  check('ORG-08', (look, context) => {
    const post = look.step('asorg-unknown');
    if (post) look.status(post, context.strict ? 403 : [403, 404]);
    const profile = look.step('asprofile-foreign');
    if (profile) look.status(profile, 404);
    const ids = look.step('asorg-id');
    if (ids) look.status(ids, 404);
    for (const step of ['creators-hundred', 'posts-spellings']) {
      const exchange = look.step(step);
      if (exchange) look.status(exchange, 200);
    }
  }),
  check('ORG-09', (look, { strict, target }) => {
    if (!strict) return;
    if (target.organizations.delegated !== undefined && target.profiles.own !== undefined) {
      const exchange = look.step('post-analysis', 'ruling');
      if (exchange) look.status(exchange, [200, 202], 'ruling');
    }
    const organization = look.step('asorg-unknown', 'ruling');
    if (organization) look.status(organization, 403, 'ruling');
    const profile = look.step('asprofile-unknown', 'ruling');
    if (profile) look.status(profile, 404, 'ruling');
    for (const step of ['creators-batch', 'creators-get']) {
      const exchange = look.step(step, 'ruling');
      const held = target.networks['netA']?.creators.held;
      if (!exchange || !look.status(exchange, 200, 'ruling') || held === undefined) continue;
      const { in: place } = placeOf(exchange, held);
      look.that(place !== 'unavailable', exchange, '/unavailable', `${held} on the default network`, place, 'ruling');
    }
  }),
];
