/**
 * The buyers of the benchmark, in a process of their own: `/no` refuses, `/yes` buys, both at once or, below `/usual`, after as
 * long as a quick buyer takes; `/slow` buys after a while, `/hang` never says anything.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const YES = JSON.stringify({ result: 'accepted', price: '20.00', redirect: 'https://buyer.example/thanks', id: 'B-1' });
const NO = JSON.stringify({ result: 'rejected', reason: 'not wanted' });
const SLOW_MS = 10_000;
const USUAL_MS = 20;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const url = request.url!;
    if (url.startsWith('/hang')) return;
    const body = url.endsWith('/no') ? NO : YES;
    const send = () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
    const delayMs = url.startsWith('/slow') ? SLOW_MS : url.startsWith('/usual') ? USUAL_MS : 0;
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', 8192, () => process.send?.({ port: (server.address() as AddressInfo).port }));
