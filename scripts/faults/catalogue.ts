import { deadWorker } from './dead-worker.ts';
import type { Fault } from './fault.ts';
import { killedServer } from './killed-server.ts';
import { coldTogether, staleTogether } from './one-discovery.ts';
import { pausedWorker } from './paused-worker.ts';
import { poison } from './poison.ts';

export const faults: readonly Fault[] = [coldTogether, staleTogether, deadWorker, pausedWorker, killedServer, poison];
