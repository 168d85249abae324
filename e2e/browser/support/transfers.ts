import type { Page } from '@playwright/test';

/** What a page takes from the network, as the browser counts it: heads and bodies, compressed. */
export class Transfers {
  private readonly urls = new Map<string, string>();
  private readonly bytes = new Map<string, number>();
  private readonly times = new Map<string, number>();

  static async of(page: Page): Promise<Transfers> {
    const session = await page.context().newCDPSession(page);
    const transfers = new Transfers();
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      const { pathname, search } = new URL(request.url);
      const name = pathname.replace('/api/v1', '') + search.replace(/\d{4}-\d\d-\d\dT[^&]*/g, '…');
      transfers.urls.set(requestId, name);
      transfers.times.set(name, (transfers.times.get(name) ?? 0) + 1);
    });
    session.on('Network.responseReceived', ({ requestId, response }) => {
      transfers.add(requestId, response.encodedDataLength);
    });
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      transfers.add(requestId, encodedDataLength);
    });
    await session.send('Network.enable');
    return transfers;
  }

  private add(requestId: string, bytes: number): void {
    const name = this.urls.get(requestId) ?? 'open before';
    this.bytes.set(name, (this.bytes.get(name) ?? 0) + bytes);
  }

  clear(): void {
    this.bytes.clear();
    this.times.clear();
  }

  total(): number {
    return [...this.bytes.values()].reduce((sum, one) => sum + one, 0);
  }

  /** The largest first. */
  largest(count: number): string {
    return [...this.bytes]
      .sort(([, one], [, other]) => other - one)
      .slice(0, count)
      .map(([name, bytes]) => `${name} ×${this.times.get(name) ?? 0} ${(bytes / 1024).toFixed(1)} KiB`)
      .join(', ');
  }
}
