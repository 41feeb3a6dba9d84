import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCollector } from '../../src/discovery/collector.ts';
import { createSandbox } from '../../src/discovery/sources/sandbox.ts';
import type { Key } from '../../src/model.ts';
import { networks } from '../../src/networks/index.ts';

/** One call of a node. */
export interface Call {
  /** Name of the node that called: each is given a base address of its own. */
  readonly node: string;
  readonly key: Key;
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  /** How many of this key there have been, this one included. */
  readonly count: number;
  /** When the answer was sent or the caller had gone; null: neither yet. */
  overAt: number | null;
}

/** The ways to answer. A call that gets none of them hangs. */
export interface Reply {
  /** As the sandbox network does. */
  proper(): void;
  /** What `proper` would send, to be changed. */
  document(): Promise<Collected>;
  json(body: unknown): void;
  raw(type: string, body: string | Buffer, headers?: Readonly<Record<string, string>>): void;
  status(code: number, headers?: Readonly<Record<string, string>>): void;
  /** Closes the connection in the caller's face. */
  reset(): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- collected documents are taken apart and broken on purpose
export type Collected = Record<string, any>;

export type Behaviour = (call: Call, reply: Reply) => void | Promise<void>;

/** Stands in for the networks' collectors (`spec/source.yaml`): counts every call, and answers as it is told to. */
export class MadSource {
  calls: Call[] = [];
  inFlight = 0;
  mostInFlight = 0;
  behave: Behaviour = (_call, reply) => reply.proper();
  readonly #counts = new Map<Key, number>();
  readonly #proper = createCollector(networks.map((each) => createSandbox(each, sandboxOptions)));
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<void> {
    for (const server of [this.#server, this.#proper])
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  }

  /** Settings that make a node ask this source, by the node's name. */
  settings(node: string): Record<string, string> {
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${node}`;
    return Object.fromEntries(networks.map(({ name }) => [`SOURCE_${name}_URL`, url]));
  }

  callsOf(key: Key): Call[] {
    return this.calls.filter((call) => call.key === key);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, node = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    request.url = path;
    const call = this.#count(node, path);
    response.on('close', () => {
      this.inFlight -= 1;
      call.overAt = performance.now();
    });
    try {
      await this.behave(call, this.#reply(request, response));
    } catch {
      response.destroy();
    }
  }

  #count(node: string, path: string): Call {
    const key = keyOfPath(path);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    const call = { node, key, at: performance.now(), count, overAt: null };
    this.calls.push(call);
    return call;
  }

  #reply(request: IncomingMessage, response: ServerResponse): Reply {
    const raw: Reply['raw'] = (type, body, headers = {}) => {
      response.writeHead(200, { 'content-type': type, ...headers });
      response.end(body);
    };
    return {
      proper: () => void this.#proper.emit('request', request, response),
      document: async () => {
        const { port } = this.#proper.address() as AddressInfo;
        const answer = await fetch(`http://127.0.0.1:${port}${request.url ?? ''}`);
        return (await answer.json()) as Collected;
      },
      json: (body) => raw('application/json', JSON.stringify(body)),
      raw,
      status: (code, headers = {}) => void response.writeHead(code, headers).end(),
      reset: () => void request.socket.destroy(),
    };
  }

  close(): void {
    for (const server of [this.#server, this.#proper]) {
      server.close();
      server.closeAllConnections();
    }
  }
}

const sandboxOptions = { clock: Date.now, ordinaryMilliseconds: 0, slowMilliseconds: 0 };

function keyOfPath(path: string): Key {
  const [, network, kind, name] = /^\/v1\/(\w+)\/(creator|post)s\/([^?]+)/.exec(path) ?? [];
  return `${kind}:${network}:${name}`;
}

/** Lets through all who wait for it, once it is opened. */
export class Gate {
  readonly #opening = Promise.withResolvers<void>();
  readonly passed = this.#opening.promise;
  open(): void {
    this.#opening.resolve();
  }
}
