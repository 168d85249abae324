import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { FieldChanges } from '@/components/diff-table';

const chain = `-----BEGIN CERTIFICATE-----\n${'MIIDSjCCAjKgAwIBAgIUE9NG9cWIXkM51KdzI4EAMvtMAisw\n'.repeat(20)}-----END CERTIFICATE-----\n`;

describe('the differences of a resource', () => {
  it('fold long texts, whose lines are lines', async () => {
    render(
      <MantineProvider>
        <FieldChanges changes={[{ pointer: '/chain', before: undefined, after: JSON.stringify(chain) }]} />
      </MantineProvider>,
    );
    expect(screen.queryByText(/END CERTIFICATE/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show all 1,033 characters' }));
    expect(screen.getByText(/END CERTIFICATE/).textContent).toBe(chain.trimEnd());
    await userEvent.click(screen.getByRole('button', { name: 'Show less' }));
    expect(screen.queryByText(/END CERTIFICATE/)).toBeNull();
  });

  it('show short texts as JSON', () => {
    render(
      <MantineProvider>
        <FieldChanges changes={[{ pointer: '/path', before: '"/a"', after: '"/b"' }]} />
      </MantineProvider>,
    );
    expect(screen.getByText('"/a"')).toBeVisible();
    expect(screen.getByText('"/b"')).toBeVisible();
  });
});
