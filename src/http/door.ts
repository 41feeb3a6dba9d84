import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../model.ts';
import { badRequest } from './errors.ts';

/** Refuses, before looking at the path, what HTTP has a status of its own for but the contract has not (GEN-07). Null: nothing is wrong. */
export function refuseAtTheDoor(request: IncomingMessage): Refusal | null {
  const hosts = headerValues(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1'))
    return badRequest('The request has to have one Host header.');
  const expected = request.headers.expect;
  if (expected !== undefined && expected.toLowerCase() !== '100-continue')
    return badRequest('That Expect header cannot be met.');
  return null;
}

/** All values of a header, one for each line; `request.headers` keeps only the first line of some headers (AUT-12). `name` in lower case. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] as string;
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[index + 1] as string);
  }
  return values;
}
