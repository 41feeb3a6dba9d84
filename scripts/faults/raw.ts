import type { Guard } from './guard.ts';

/** Holds an answer to the contract that was read off a socket, such as what the parser refused (GEN-09). */
export function checkRaw(guard: Guard, received: string, path = '/'): void {
  const [head = '', text = ''] = received.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.split(': ')[1] ?? '']),
  );
  guard.check({ method: 'GET', path, status: Number(first.split(' ')[1]), headers, text, asked: null });
}
