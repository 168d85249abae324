import { describe, expect, it } from 'vitest';
import type { ProxyServer, Route, Router } from '#client';
import { curlFor, exampleFor } from '@/features/resources/curl-for';

const router: Router = { proxyServerId: 'web' };
const proxyServer: ProxyServer = { port: 8080 };
const route: Route = { routerId: 'shop', proxyPassId: 'to-shop', path: '/a' };

describe('curlFor', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/a/*', '/a/'],
    ['/users/:id', '/users/id'],
    ['~/v[0-9]+/.*', '/v'],
  ])('makes of the path %s the example %s', (path, example) => {
    expect(curlFor(exampleFor({ ...route, path }, router, proxyServer, 'gw.internal'))).toBe(
      `curl http://gw.internal:8080${example}`,
    );
  });

  it('names the host, the method and a listener of its own', () => {
    const command = curlFor(
      exampleFor(
        { ...route, methods: ['POST'] },
        { ...router, hosts: ['*.example.com'] },
        { port: 8443, protocol: 'HTTPS', host: '::1' },
        'gw.internal',
      ),
    );
    expect(command).toBe("curl -X POST -H 'Host: www.example.com' 'https://[::1]:8443/a'");
  });

  it('leaves nothing for a shell to run', () => {
    expect(curlFor(exampleFor({ ...route, path: "/$(reboot)'`" }, router, proxyServer, 'gw'))).toBe(
      String.raw`curl 'http://gw:8080/$(reboot)'\''` + "`'",
    );
  });
});
