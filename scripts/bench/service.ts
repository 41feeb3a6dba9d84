/** The service as the bench measures it: authentication, budget, logging and both validations on. Prints its port and a token. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { createDevelopment } from '../../src/auth/development.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';

const UNREACHED = 1_000_000_000;

const config = readConfig({ PORT: '0', DATA_DIR: ':memory:', MAX_IN_FLIGHT: '100000' });
const log = pino({ level: 'info' }, pino.destination({ dest: '/dev/null', sync: false }));
const service = await startService(config, { log, sandbox: { ordinaryMilliseconds: 0 } });
const development = await createDevelopment(service.principals, { random: randomBytes, perMinute: UNREACHED });
console.log(JSON.stringify({ port: service.port, token: development?.token }));
