import { describe, expect, it } from 'vitest';
import type { ProxyServer, Route, Router } from '#client';
import { curlFor, exampleFor } from '@/lib/curl-for';

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
        { port: 8080, host: '::1' },
        'gw.internal',
      ),
    );
    expect(command).toBe("curl -X POST -H 'Host: www.example.com' 'http://[::1]:8080/a'");
  });

  it('asks for the host in the TLS handshake, at the address of the gateway', () => {
    const command = curlFor(
      exampleFor(
        route,
        { ...router, hosts: ['shop.example.com'] },
        { port: 8443, protocol: 'HTTPS' },
        'gw.internal',
      ),
    );
    expect(command).toBe(
      'curl --connect-to shop.example.com::gw.internal:8443 https://shop.example.com:8443/a',
    );
  });

  it('meets the conditions that say a value', () => {
    const conditions: Route = {
      ...route,
      headers: [
        { name: 'X-Version', value: '2' },
        { name: 'X-Any', regex: '.*' },
      ],
      queryParameters: [{ name: 'debug', present: true }],
      cookies: [{ name: 'beta', value: 'on' }],
      produces: ['application/json'],
    };
    expect(curlFor(exampleFor(conditions, router, proxyServer, 'gw'))).toBe(
      "curl -H 'X-Version: 2' -H 'Cookie: beta=on' -H 'Accept: application/json' 'http://gw:8080/a?debug=1'",
    );
  });

  it('leaves nothing for a shell to run', () => {
    expect(curlFor(exampleFor({ ...route, path: "/$(reboot)'`" }, router, proxyServer, 'gw'))).toBe(
      String.raw`curl 'http://gw:8080/$(reboot)'\''` + "`'",
    );
  });
});
