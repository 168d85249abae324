import { MantineProvider, Table } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TableScroller } from '@/components/table-scroller';

let tell: () => void;
let width: number;

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
      constructor(told: () => void) {
        tell = told;
      }
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500);
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(() => width);
  render(
    <MantineProvider>
      <TableScroller minWidth={400} label="Figures">
        <Table>
          <tbody />
        </Table>
      </TableScroller>
    </MantineProvider>,
  );
});
afterEach(() => vi.unstubAllGlobals());

it('is reached by the keyboard exactly while its table is too wide', () => {
  width = 600;
  act(() => tell());
  expect(screen.getByRole('group', { name: 'Figures, scrolls sideways' })).toHaveAttribute('tabindex', '0');
  width = 500;
  act(() => tell());
  expect(screen.queryByRole('group')).not.toBeInTheDocument();
});
