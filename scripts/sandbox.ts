/** `npm run sandbox`: the sandbox networks as a collector of `spec/source.yaml`, so that the path over HTTP can be tried. */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createCollector } from '../src/discovery/collector.ts';
import { createSandbox } from '../src/discovery/sources/sandbox.ts';
import { networks } from '../src/networks/index.ts';

const usage = `Usage: npm run sandbox -- [--port <port>] [--host <address>]

Serves the sandbox networks over HTTP as spec/source.yaml says.

  --port <port>      port to listen on, 0 for any (default 8090)
  --host <address>   address to listen on (default 127.0.0.1)
  --help             this text
`;

function fail(message: string): never {
  process.stderr.write(`${message}\nnpm run sandbox -- --help lists what is allowed\n`);
  process.exit(2);
}

function read() {
  try {
    const options = {
      port: { type: 'string', default: '8090' },
      host: { type: 'string', default: '127.0.0.1' },
      help: { type: 'boolean' },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

const { port, host, help } = read();
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
  fail(`--port is ${JSON.stringify(port)}, but has to be 0 to 65535`);

const server = createCollector(networks.map((network) => createSandbox(network, { clock: Date.now })));
server.on('error', (error) => fail(`cannot listen on ${host}:${port}: ${error.message}`));
server.listen(Number(port), host, () => {
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const settings = networks.map(({ name }) => `SOURCE_${name}_URL=${url}`).join(' ');
  process.stdout.write(`The sandbox networks answer at ${url}\nTo have the service ask them: ${settings} npm start\n`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
