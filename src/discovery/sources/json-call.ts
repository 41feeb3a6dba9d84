/** One call of another service that answers JSON: never follows a redirect, never reads more than it may. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, or undefined where the answer is not JSON. */
  readonly body: unknown;
}

export interface JsonCallOptions {
  readonly signal: AbortSignal;
  /** Besides `signal`; absent: that alone. */
  readonly timeoutMilliseconds?: number;
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with POST; absent: GET. */
  readonly body?: unknown;
}

export async function callJson(url: URL, options: JsonCallOptions): Promise<JsonAnswer> {
  const { signal, timeoutMilliseconds, maxBytes, headers = {}, body } = options;
  const response = await fetch(url, {
    redirect: 'manual',
    signal:
      timeoutMilliseconds === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
    headers: {
      accept: 'application/json',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await readJson(response, maxBytes) };
}

async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const isJson = /^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '');
  if (!isJson) {
    await response.body?.cancel();
    return undefined;
  }
  const text = await readBounded(response, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new Error(`the answer is longer than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
