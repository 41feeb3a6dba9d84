import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from './node.ts';

const askMilliseconds = 50;

const isReady = ({ port }: ServiceProcess): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Gives each new connection to a ready node, one after the other; what it has given stays where it is. */
export class Balancer {
  readonly nodes = new Map<string, ServiceProcess>();
  #ready: ServiceProcess[] = [];
  #turn = 0;
  #open = true;
  readonly #server: Server = createServer((caller) => this.#join(caller, this.#ready.length));

  async listen(): Promise<void> {
    void this.#watch();
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** A node that takes no connection any more is passed over, as every balancer does. */
  #join(caller: Socket, attempts: number): void {
    const node = this.#ready[(this.#turn += 1) % this.#ready.length];
    if (!node || attempts === 0) return void caller.destroy();
    const callee = connect(node.port, '127.0.0.1');
    const passOver = (): void => this.#join(caller, attempts - 1);
    callee.once('error', passOver);
    callee.once('connect', () => {
      callee.off('error', passOver).on('error', () => caller.destroy());
      caller.on('error', () => callee.destroy());
      callee.on('close', () => caller.destroySoon());
      caller.on('close', () => callee.destroy());
      caller.pipe(callee).pipe(caller);
    });
  }

  /** Asks for readiness as a balancer does, again and again. */
  async #watch(): Promise<void> {
    while (this.#open) {
      await this.look();
      await pause(askMilliseconds);
    }
  }

  async look(): Promise<void> {
    const nodes = [...this.nodes.values()];
    const answers = await Promise.all(nodes.map(isReady));
    this.#ready = nodes.filter((_node, index) => answers[index]);
  }

  close(): void {
    this.#open = false;
    this.#server.close();
  }
}
