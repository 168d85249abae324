import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { notifications } from '@mantine/notifications';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { resetReachable } from '@/lib/reachability';
import { endSession } from '@/lib/session';
import { browser, server } from '@/test/server';

// A bound, not a pace: a machine that is busy with other builds is slow.
configure({ asyncUtilTimeout: 15_000 });

// What the component library asks of a browser and jsdom lacks.
window.matchMedia = (media) =>
  Object.assign(new EventTarget() as MediaQueryList, { matches: false, media, onchange: null });
window.scrollTo = vi.fn();
Element.prototype.scrollIntoView = vi.fn();
// What is drawn there is decoration.
HTMLCanvasElement.prototype.getContext = () => null;
globalThis.ResizeObserver = class {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
};
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: vi.fn(), removeEventListener: vi.fn() },
});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  endSession();
  browser.hasCookie = false;
  resetReachable();
});
afterEach(() => {
  cleanup();
  notifications.clean();
  server.resetHandlers();
});
afterAll(() => server.close());
