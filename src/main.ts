import { describeSettings, misspelt, readConfig, WrongSetting, type Config } from './config.ts';
import { firstStart } from './first-start.ts';
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
  for (const { given, meant } of misspelt())
    process.stderr.write(`warning: ${given} is no setting; is ${meant} meant?\n`);
  await run(config);
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
  const service = await startService(config).catch((thrown: NodeJS.ErrnoException) => fail(startFault(thrown, config)));
  if (!service) return;
  const stop = (): void => void service.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    process.stdout.write(await firstStart(service, config));
  } catch (thrown) {
    await service.close();
    fail(startFault(thrown as NodeJS.ErrnoException, config));
  }
}

function startFault(thrown: NodeJS.ErrnoException, { HOST, PORT, DATA_DIR }: Config): string {
  if (thrown.code === 'EADDRINUSE') return `port ${PORT} of ${HOST} is in use; set PORT to another`;
  if (thrown.code === 'EACCES' && thrown.syscall === 'listen')
    return `port ${PORT} may not be listened on; set PORT to another`;
  if (thrown.code === 'EACCES' || thrown.code === 'EROFS') return `DATA_DIR ${DATA_DIR} cannot be written`;
  return `cannot start: ${thrown.message}`;
}

function fail(line: string): void {
  process.stderr.write(`error: ${line}\n`);
  process.exitCode = 2;
}

await main(process.argv.slice(2));
