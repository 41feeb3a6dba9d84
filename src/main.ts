import { describeSettings, misspelt, readConfig, WrongSetting, type Config } from './config.ts';
import { firstStart } from './first-start.ts';
import { networks } from './networks/index.ts';
import { startService } from './service.ts';

const HELP = `Creator and Post Lookup Service

  npm start             starts the service
  npm start -- --help   prints this

Settings, from the environment:

${describeSettings()}
`;

async function main(parameters: readonly string[]): Promise<void> {
  if (parameters.includes('--help') || parameters.includes('-h')) return void process.stdout.write(HELP);
  if (parameters.length > 0) return fail(`unknown parameter ${parameters[0]}; see npm start -- --help`);
  const config = settings();
  if (config === null) return;
  for (const warning of warningsOf(config)) process.stderr.write(`warning: ${warning}\n`);
  await run(config);
}

/** What can be started with and is hardly meant. */
function warningsOf({ ENVIRONMENT, SOURCES }: Config): string[] {
  const names = networks.map(({ name }) => name);
  const invented = ENVIRONMENT === 'production' ? names.filter((name) => SOURCES[name] === undefined) : [];
  return [
    ...misspelt(names).map(({ given, meant }) => `${given} is no setting; is ${meant} meant?`),
    ...invented.map((name) => `without SOURCE_${name}_URL the sandbox invents what is told of ${name}`),
  ];
}

function settings(): Config | null {
  try {
    return readConfig();
  } catch (thrown) {
    if (!(thrown instanceof WrongSetting)) throw thrown;
    fail(thrown.message);
    return null;
  }
}

async function run(config: Config): Promise<void> {
  const service = await startService(config).catch((thrown: StartFault) => fail(startFault(thrown, config)));
  if (!service) return;
  const stop = (): void => void service.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    process.stdout.write(await firstStart(service, config));
  } catch (thrown) {
    await service.close();
    fail(startFault(thrown as StartFault, config));
  }
}

type StartFault = NodeJS.ErrnoException & { readonly hostname?: string; readonly severity?: string };

function startFault(thrown: StartFault, { HOST, PORT, DATA_DIR, DATABASE_URL }: Config): string {
  const { code, syscall, hostname, message } = thrown;
  if (code === 'EADDRINUSE') return `port ${PORT} of ${HOST} is in use; set PORT to another`;
  if (code === 'EACCES' && syscall === 'listen') return `port ${PORT} may not be listened on; set PORT to another`;
  if (syscall === 'listen' || hostname === HOST) return `HOST ${HOST} is no address of this machine (${code})`;
  if (!isOfStore(thrown)) return `cannot start: ${message}`;
  if (DATABASE_URL !== '') return `the database that DATABASE_URL names cannot be used: ${message || code}`;
  return `the folder ${DATA_DIR} that DATA_DIR names cannot be used: ${message}`;
}

/** Whether it is the folder's, SQLite's, the connection's to PostgreSQL or PostgreSQL's own. */
const isOfStore = ({ code, syscall = '', severity }: StartFault): boolean =>
  code === 'ERR_SQLITE_ERROR' || ['mkdir', 'connect', 'getaddrinfo'].includes(syscall) || severity !== undefined;

function fail(line: string): void {
  process.stderr.write(`error: ${line}\n`);
  process.exitCode = 2;
}

await main(process.argv.slice(2));
