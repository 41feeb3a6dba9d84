import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type PrismHttpInstance,
} from '@stoplight/prism-http';
import pino from 'pino';
import type { Contract } from './contract.ts';

/** How a caller chooses an answer by hand: `Prefer: code=404, example=missing`. */
export interface Preference {
  readonly code?: number;
  readonly example?: string;
  readonly dynamic?: boolean;
}

export interface PrismAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Prism {
  /** The contract's example answer for an operation. @throws Error with a plain sentence when there is no such example. */
  answer(path: string, method: 'get' | 'post', preference: Preference): Promise<PrismAnswer>;
  /** Every example body of an operation's 200. */
  examples(path: string, method: 'get' | 'post'): Promise<unknown[]>;
}

type Operations = Parameters<PrismHttpInstance['request']>[1];
type Example = { readonly key: string };

export async function createPrism(contract: Contract): Promise<Prism> {
  const operations: Operations = await getHttpOperationsFromSpec(structuredClone(contract));
  const settings: IHttpConfig = {
    mock: { dynamic: false },
    isProxy: false,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
  };
  const prism: PrismHttpInstance = createInstance(settings, {
    logger: pino({ level: 'silent', customLevels: { success: 31, start: 32 } }) as never,
  });

  const answer: Prism['answer'] = async (path, method, preference) => {
    const { code, example, dynamic = false } = preference;
    const mock = {
      dynamic,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
    };
    const request = {
      method,
      url: { path },
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: { ids: ['netA:ada'] },
    };
    const result = await prism.request(request, operations, { ...settings, mock })();
    if (result._tag === 'Left')
      throw example === undefined
        ? result.left
        : new Error(`this operation has no such answer with an example "${example}"`);
    const { statusCode, headers = {}, body } = result.right.output;
    const isAsked = code === undefined || code === statusCode;
    if (!isAsked) throw new Error(`this operation has no answer with status ${code}`);
    return { status: statusCode, headers, body };
  };

  return {
    answer,
    async examples(path, method) {
      const operation = operations.find((candidate) => candidate.path === path && candidate.method === method);
      const response = operation?.responses.find(({ code }) => code === '200');
      const keys = (response?.contents?.[0]?.examples ?? []).map((example) => (example as Example).key);
      const concrete = path.replace('{network}', 'netA').replace('{handle}', 'ada');
      return Promise.all(keys.map(async (example) => (await answer(concrete, method, { code: 200, example })).body));
    },
  };
}

/** Reads the header's `code`, `example` and `dynamic`; ignores other preferences (RFC 7240). @throws Error with a plain sentence for a wrong value. */
export function parsePrefer(header: string): Preference | null {
  const preference: { code?: number; example?: string; dynamic?: boolean } = {};
  for (const part of header.split(/[,;]/)) {
    const [, name = '', value = ''] = /^\s*([A-Za-z-]*)\s*(?:=\s*"?([^"]*?)"?\s*)?$/.exec(part) ?? [null, 'code', ''];
    if (name.toLowerCase() === 'code') {
      if (!/^[1-5][0-9]{2}$/.test(value))
        throw new Error(`Prefer: code must be a status of three digits, as in "code=404"`);
      preference.code = Number(value);
    } else if (name.toLowerCase() === 'example') {
      if (value === '') throw new Error('Prefer: example must name an example of the contract');
      preference.example = value;
    } else if (name.toLowerCase() === 'dynamic') {
      if (value !== 'true' && value !== 'false') throw new Error('Prefer: dynamic must be true or false');
      preference.dynamic = value === 'true';
    }
  }
  return Object.keys(preference).length === 0 ? null : preference;
}
