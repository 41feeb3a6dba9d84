import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A wire between a node and what it depends on, that can be cut, blocked and led elsewhere. */
export class Wire {
  #target: number;
  #state: 'whole' | 'cut' | 'blocked' = 'whole';
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer({ pauseOnConnect: true }, (near) => this.#join(near));

  constructor(target: number) {
    this.#target = target;
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #join(near: Socket): void {
    this.#keep(near);
    if (this.#state === 'cut') return void near.destroy();
    if (this.#state === 'blocked') return;
    const far = connect(this.#target, '127.0.0.1');
    this.#keep(far);
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
  }

  #cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Every connection is reset, and every new one. */
  cut(): void {
    this.#state = 'cut';
    this.#cutAll();
  }

  /** Nothing passes any more, and nobody is told: packets that are dropped. */
  block(): void {
    this.#state = 'blocked';
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Whole again, to the same or to another port. What hung is reset, as a peer does that was away. */
  mend(target = this.#target): void {
    this.#target = target;
    this.#state = 'whole';
    this.#cutAll();
  }

  close(): void {
    this.#server.close();
    this.#cutAll();
  }
}
