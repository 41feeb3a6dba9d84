/** Small readings of an answer: headers without case, values by JSON pointer, text that fits a report line. */
import type { Exchange, ExchangeResponse } from './model.ts';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const headersOf = (response: ExchangeResponse, name: string): string[] =>
  response.headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

export const headerOf = (response: ExchangeResponse, name: string): string | undefined => headersOf(response, name)[0];

/** The value at a JSON pointer, undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replace(/~1/g, '/').replace(/~0/g, '~');
    if (Array.isArray(value)) value = value[Number(key)] as unknown;
    else value = isObject(value) ? value[key] : undefined;
  }
  return value;
}

const longest = 160;

/** A value in at most 160 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** `error` of an envelope, or an empty object. */
export function errorOf({ response }: Exchange): Json {
  const error = isObject(response.json) ? response.json['error'] : undefined;
  return isObject(error) ? error : {};
}

export function detailsOf(exchange: Exchange): Json | undefined {
  const details = errorOf(exchange)['details'];
  return isObject(details) ? details : undefined;
}

export const reasonOf = (exchange: Exchange): unknown => detailsOf(exchange)?.['reason'];

const list = (exchange: Exchange, key: string): unknown[] => {
  const value = isObject(exchange.response.json) ? exchange.response.json[key] : undefined;
  return Array.isArray(value) ? value : [];
};

export const dataOf = (exchange: Exchange): Json[] => list(exchange, 'data').filter(isObject);
export const fetchingOf = (exchange: Exchange): Json[] => list(exchange, 'fetching').filter(isObject);
export const unavailableOf = (exchange: Exchange): Json[] => list(exchange, 'unavailable').filter(isObject);

export const entryOf = (entries: readonly Json[], id: string): Json | undefined =>
  entries.find((entry) => entry['id'] === id);

/** The document of a single read, or undefined. */
export function documentOf({ response }: Exchange): Json | undefined {
  const data = response.status === 200 && isObject(response.json) ? response.json['data'] : undefined;
  return isObject(data) ? data : undefined;
}

/** Whole seconds of `Retry-After`, or null where it is absent or no such number. */
export function waitOf(exchange: Exchange): number | null {
  const text = headerOf(exchange.response, 'retry-after');
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

const singles = new Set(['getCreator', 'getPosts']);

export const isFetching = (exchange: Exchange): boolean =>
  (singles.has(exchange.operation ?? '') && exchange.response.status === 202) ||
  (exchange.response.status === 200 && fetchingOf(exchange).length > 0);
