/** Loaded into a node in front of its program (`--import`): SIGUSR2 sets its clock to the offset that the file then holds. */
import { readFileSync } from 'node:fs';

const real = Date.now;
let offset = 0;
Date.now = () => real() + offset;
process.on('SIGUSR2', () => {
  offset = Number(readFileSync(process.env['CLOCK_OFFSET_FILE'] ?? '', 'utf8'));
});
