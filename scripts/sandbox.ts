/** `npm run sandbox`: the sandbox networks as a collector of `spec/source.yaml`, so that the path over HTTP can be tried. */
import type { AddressInfo } from 'node:net';
import { createCollector } from '../src/discovery/collector.ts';
import { createSandbox } from '../src/discovery/sources/sandbox.ts';
import { networks } from '../src/networks/index.ts';
import { runCommand, wholeNumber, WrongUsage } from './command.ts';

const usage = `Usage: npm run sandbox [-- --port <port>] [--host <address>]

Serves the sandbox networks over HTTP as spec/source.yaml says.

  --port <port>      port to listen on, 0 for any (default 8090)
  --host <address>   address to listen on (default 127.0.0.1)
  --help             this text
`;

/** Answers when it was told to end, or could not listen. */
function serve(port: number, host: string): Promise<number> {
  const server = createCollector(networks.map((network) => createSandbox(network, { clock: Date.now })));
  server.listen(port, host, () => {
    const url = `http://${host}:${(server.address() as AddressInfo).port}`;
    const settings = networks.map(({ name }) => `SOURCE_${name}_URL=${url}`).join(' ');
    console.log(`The sandbox networks answer at ${url}\nTo have the service ask them: ${settings} npm start`);
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close);
  return new Promise((ended, failed) => {
    server.once('close', () => ended(0));
    server.once('error', ({ message }) => failed(new WrongUsage(`cannot listen on ${host}:${port}: ${message}`)));
  });
}

await runCommand({
  name: 'sandbox',
  usage,
  options: { port: { type: 'string', default: '8090' }, host: { type: 'string', default: '127.0.0.1' } },
  run: ({ port, host }) => serve(wholeNumber('port', port, { least: 0, most: 65_535 }), host),
});
