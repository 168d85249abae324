import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import contractText from '@/../../openapi/sigma-admin.yaml?raw';
import { contractFacts, type SchemaName } from '#contract';
import { contractRemarks } from '@/features/resources/json/contract-check';

describe('contractRemarks', () => {
  it('finds nothing in the examples of the contract', () => {
    const contract = parse(contractText) as {
      components: { schemas: Record<string, { examples?: object[] }> };
    };
    let seen = 0;
    for (const [name, { examples = [] }] of Object.entries(contract.components.schemas)) {
      for (const example of examples.filter((one) => typeof one === 'object' && name in contractFacts)) {
        seen++;
        expect([name, contractRemarks(name as SchemaName, example)]).toEqual([name, []]);
      }
    }
    expect(seen).toBeGreaterThan(20);
  });

  it.each([
    [{ nodez: [] }, '/nodez', 'There is no field “nodez” here.'],
    [{ balancing: 'RANDOMLY' }, '/balancing', /^Balancing must be one of: /],
    [{ nodes: {} }, '/nodes', 'Nodes must be a list of objects.'],
    [{ nodes: [{}] }, '/nodes/0/url', 'URL is required.'],
    [{ nodes: [{ url: 'http://a', weight: '1' }] }, '/nodes/0/weight', 'Weight must be a number.'],
    [{ nodes: [{ url: 'http://a', weight: -1 }] }, '/nodes/0/weight', /^Weight must be between 0 and /],
    [{ labels: [] }, '/labels', 'Labels must be an object.'],
    [{ description: 1 }, '/description', 'Description must be a text.'],
  ])('names what is wrong with %j at its place', (resource, pointer, message) => {
    const remarks = contractRemarks('Upstream', resource);
    expect(remarks).toContainEqual(
      expect.objectContaining({ pointer, message: expect.stringMatching(message) as string }),
    );
  });
});
