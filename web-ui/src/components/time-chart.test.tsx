import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { TimeChart } from '@/components/time-chart';

it('tells which part of the time somebody has drawn over', () => {
  Element.prototype.setPointerCapture = vi.fn();
  const zoomed = vi.fn();
  render(
    <MantineProvider>
      <TimeChart
        title="Rate"
        times={Array.from({ length: 101 }, (_, i) => i * 5_000)}
        series={[{ name: 'requests', color: 'blue', values: [] }]}
        format={String}
        pointed={undefined}
        onPoint={vi.fn()}
        onZoom={zoomed}
        marks={[]}
      />
    </MantineProvider>,
  );
  const chart = screen.getByRole('img', { name: /^Rate/ });
  chart.getBoundingClientRect = () => ({ left: 0, width: 100 }) as DOMRect;
  // The browser of these tests has no events of pointers.
  const point = (what: 'down' | 'up', clientX: number) =>
    fireEvent(chart, new MouseEvent(`pointer${what}`, { bubbles: true, clientX, button: 0 }));
  point('down', 30);
  point('up', 31);
  // That was a click.
  expect(zoomed).not.toHaveBeenCalled();
  point('down', 30);
  point('up', 10);
  expect(zoomed).toHaveBeenCalledExactlyOnceWith(10, 30);
});
