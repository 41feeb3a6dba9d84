import type { IncomingMessage } from 'node:http';
import { badRequest } from './errors.ts';

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly bodyDepth: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads and parses the JSON body of a request. A declared length over the limit is refused before a byte is read.
 * @throws Refusal invalid-input when it is not `application/json`, is encoded, too large or too deep, or not JSON in UTF-8 (CRB-08).
 */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  checkType(request.headers['content-type']);
  checkEncoding(request.headers['content-encoding']);
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits);
  const text = textOf(await readBytes(request, limits));
  if (text.trim() === '') throw badRequest('The body is empty; it has to be a JSON object with "ids".');
  if (isTooDeep(text, limits.bodyDepth)) throw badRequest(`The body is nested deeper than ${limits.bodyDepth} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not JSON.');
  }
}

const tooLarge = ({ bodyBytes }: BodyLimits) =>
  badRequest(`The body is larger than ${bodyBytes} bytes, which is the most allowed.`);

function checkType(type: string | undefined): void {
  const [media, ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const known = charset === undefined || charset === 'utf-8' || charset === '"utf-8"' || charset === 'utf8';
  if (media !== 'application/json' || !known)
    throw badRequest('The Content-Type has to be application/json, in UTF-8.');
}

/** Refuses every encoding, as a small body could unpack to a huge one. */
function checkEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding.trim())) {
    throw badRequest('The body has a Content-Encoding; send it without one.');
  }
}

/** Copies chunks into one buffer that grows: kept as they come, chunks of one byte would take two hundred bytes each. */
function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let gathered: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      if (bytes + chunk.length > limits.bodyBytes) {
        request.removeAllListeners('data');
        return reject(tooLarge(limits));
      }
      if (bytes + chunk.length > gathered.length) gathered = grown(gathered, bytes + chunk.length, limits);
      bytes += chunk.copy(gathered, bytes);
    });
    const cutShort = (): void => reject(badRequest('The body ended before it was complete.'));
    request.once('error', cutShort).once('close', cutShort);
    request.once('end', () => {
      // Every request closes in the end; left on, `cutShort` would make a refusal, with its stack, that nobody hears.
      request.off('close', cutShort);
      resolve(gathered.subarray(0, bytes));
    });
  });
}

const FIRST_BYTES = 8 * 1024;

function grown(gathered: Buffer, least: number, { bodyBytes }: BodyLimits): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(bodyBytes, Math.max(least, 2 * gathered.length)));
  gathered.copy(larger);
  return larger;
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8.');
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Counts brackets outside strings, before any recursive parser sees the text. */
function isTooDeep(text: string, most: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inText && code === BACKSLASH) index += 1;
    else if (code === QUOTE) inText = !inText;
    else if (!inText && OPENING.has(code) && (depth += 1) > most) return true;
    else if (!inText && CLOSING.has(code)) depth -= 1;
  }
  return false;
}
