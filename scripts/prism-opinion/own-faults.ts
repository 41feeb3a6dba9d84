/** Where Prism is wrong and the service right: its own faults, by name. Whatever else it has against an exchange counts. */
import type { Finding } from './finding.ts';

export interface OwnFault {
  readonly name: string;
  readonly why: string;
  covers(finding: Finding): boolean;
}

const isJson = (base64: string): boolean => {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString());
    return true;
  } catch {
    return false;
  }
};

const idsOf = (base64: string): string[] =>
  (JSON.parse(Buffer.from(base64, 'base64').toString()) as { ids: string[] }).ids;

/** A percent sign that escapes nothing. */
const brokenEscape = /%(?![0-9a-f]{2})/i;

export const ownFaults: readonly OwnFault[] = [
  {
    name: 'hangs-on-broken-json',
    why: 'a body that can not be parsed is never answered; the service says 400 (CRB-08), or 401 and 403 before it reads it (AUT-10)',
    covers: ({ is, text, exchange: { request } }) =>
      is === 'lost' && text === 'no answer' && request.method === 'POST' && !isJson(request.body),
  },
  {
    name: 'dies-of-a-broken-escape',
    why: 'a percent sign that escapes nothing, in a path, throws an exception that ends its process; the service says 404 (CRE-10)',
    covers: ({ is, text, exchange: { request } }) =>
      is === 'lost' && text === 'its process ends' && brokenEscape.test(request.target),
  },
  {
    name: 'parses-the-answer-to-head',
    why: 'the answer to HEAD has no body, and Prism fails with 500 as it is no JSON; the service sends what GET would, without the body (GEN-07)',
    covers: ({ is, text, exchange: { request } }) =>
      is === 'lost' && text === 'an answer of its own, 500' && request.method === 'HEAD',
  },
  {
    name: 'leaves-expect-to-node',
    why: 'an unknown Expect gets the bare 417 of its HTTP server and is not passed on; the service says 400 in the envelope (GEN-07)',
    covers: ({ is, text, exchange: { request } }) =>
      is === 'lost' &&
      text === 'an answer of its own, 417' &&
      request.headers.some(([name]) => name.toLowerCase() === 'expect'),
  },
  {
    name: 'knows-no-preflight',
    why: 'OPTIONS is no operation of a document; the service answers the preflight of an origin that its configuration names (GEN-13)',
    covers: ({ is, text, exchange: { request } }) =>
      is === 'said' && text === 'request: Selected route not found' && request.method === 'OPTIONS',
  },
  {
    name: 'takes-a-repeated-parameter-for-an-array',
    why: 'ids or include given twice reach its validator as an array and so as no string; the service joins them (IDS-14)',
    covers: ({ is, text }) => is === 'said' && /^request\.query\.(ids|include): .* must be string$/.test(text),
  },
  {
    name: 'counts-blank-items',
    why: 'OpenAPI has no way to say that blank items of a body do not count (IDS-10); a caller who keeps to maxItems is right either way',
    covers: ({ is, text, exchange: { request } }) =>
      is === 'said' &&
      text === 'request.body.ids: Request body property ids must NOT have more than 100 items' &&
      idsOf(request.body).filter((id) => id.trim() !== '').length <= 100,
  },
  {
    name: 'compares-the-scheme-by-case',
    why: 'it takes only "Bearer" and one blank; the scheme compares without case and may be followed by several (AUT-12, RFC 9110)',
    covers: ({ is, text, exchange: { request } }) =>
      is === 'said' &&
      text === 'request: Invalid security scheme used' &&
      request.headers.some(([name, value]) => name.toLowerCase() === 'authorization' && !/^Bearer \S/.test(value)),
  },
];
