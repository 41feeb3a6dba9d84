/** AUT: authentication and scopes. */
import { headerOf, headersOf } from '../answer.ts';
import type { Look } from '../look.ts';
import type { Check } from '../model.ts';
import { answered, check } from './check.ts';

function unauthorized(look: Look, step: string): void {
  const exchange = look.step(step);
  if (exchange) look.refusal(exchange, 401, 'unauthorized');
}

function forbidden(look: Look, steps: readonly string[]): void {
  for (const step of steps) {
    const exchange = look.step(step);
    if (exchange) look.refusal(exchange, 403, 'forbidden');
  }
}

const creatorScopes = ['scope-getCreator', 'scope-listCreators', 'scope-batchCreators'];
const postScopes = ['scope-getPosts', 'scope-batchPosts'];

export const aut: readonly Check[] = [
  check('AUT-01', (look) => unauthorized(look, 'auth-none')),
  check('AUT-02', (look) =>
    ['auth-scheme', 'auth-no-token', 'auth-two-tokens'].forEach((step) => unauthorized(look, step)),
  ),
  check('AUT-03', (look) => unauthorized(look, 'auth-unknown')),
  check('AUT-04', (look) => unauthorized(look, 'auth-expired')),
  check('AUT-05', (look) => unauthorized(look, 'auth-revoked')),
  check('AUT-06', (look) => forbidden(look, creatorScopes)),
  check('AUT-07', (look) => forbidden(look, postScopes)),
  check('AUT-09', (look, context) => {
    for (const exchange of answered(context)) {
      const challenge = headersOf(exchange.response, 'www-authenticate').join(', ');
      if (exchange.response.status < 400)
        look.that(challenge === '', exchange, 'header:WWW-Authenticate', 'no such header', challenge, 'ruling');
      if (exchange.response.status !== 401 || exchange.step === 'path-version') continue;
      look.that(
        /(?:^|,)\s*Bearer\b/i.test(challenge),
        exchange,
        'header:WWW-Authenticate',
        'Bearer',
        challenge || undefined,
        'ruling',
      );
    }
    for (const step of [...creatorScopes, ...postScopes]) {
      const exchange = look.step(step, 'ruling');
      if (exchange?.response.status !== 403) continue;
      const challenge = headerOf(exchange.response, 'www-authenticate') ?? '';
      const scope = creatorScopes.includes(step) ? 'creators:read' : 'posts:read';
      const named = challenge.match(/\b(?:creators|posts):read\b/g) ?? [];
      const holds =
        /^Bearer\b/i.test(challenge) &&
        /error="?insufficient_scope"?/.test(challenge) &&
        named.length > 0 &&
        named.every((one) => one === scope);
      look.that(
        holds,
        exchange,
        'header:WWW-Authenticate',
        `Bearer error="insufficient_scope" with ${scope} alone`,
        challenge || undefined,
        'ruling',
      );
    }
  }),
  check('AUT-10', (look, { strict }) => {
    if (!strict) return;
    const credential = look.step('auth-no-token', 'ruling');
    if (credential) look.status(credential, 401, 'ruling');
    for (const step of ['scope-batchPosts', 'scope-listCreators']) {
      const scope = look.step(step, 'ruling');
      if (scope) look.status(scope, 403, 'ruling');
    }
    const input = look.step('creators-empty', 'ruling');
    if (input) look.status(input, 400, 'ruling');
    const organization = look.step('asorg-unknown', 'ruling');
    if (organization) look.status(organization, 403, 'ruling');
  }),
  check('AUT-12', (look) => {
    const scheme = look.step('creator-head', 'ruling');
    if (scheme)
      look.that(
        scheme.response.status !== 401,
        scheme,
        'status',
        '`bearer`, three blanks and a right token to be taken',
        scheme.response.status,
        'ruling',
      );
  }),
];
