import { describe, expect, it } from 'vitest';
import { filled, isReported, noTraffic, withPoint, type TrafficSlots } from '@/lib/api/get-traffic';

const SLOT = 5_000;
const SLOTS = 720;
const figures = { ...noTraffic, requests: 85, perSecond: 17, status2xx: 85 };

/** An hour of 17 requests a second, as it was loaded when it ended at this time. */
function loadedAt(end: number): TrafficSlots {
  const from = end - SLOTS * SLOT;
  const points = Array.from({ length: SLOTS }, (_, index) => ({ at: from + index * SLOT, figures }));
  return { slotSeconds: 5, total: noTraffic, slots: filled(points, from, end, SLOT) };
}

function told(slots: TrafficSlots, at: number): TrafficSlots {
  return withPoint(slots, { at: new Date(at).toISOString(), figures });
}

function expectSteady({ slots }: TrafficSlots): void {
  expect(slots).toHaveLength(SLOTS);
  slots.forEach(({ at }, index) => expect(at - (slots[0]?.at ?? 0)).toBe(index * SLOT));
  expect(slots.every((slot) => isReported(slot) && slot.figures.requests === 85)).toBe(true);
}

// The hour in which clocks of Europe are set back, and one in which they are set forward: slots are of UTC.
for (const start of ['2026-10-25T00:30:00Z', '2026-03-29T00:30:00Z', '2026-01-02T03:00:00Z']) {
  describe(`an hour of steady traffic from ${start}`, () => {
    const begin = Date.parse(start);

    it('has no gap and no zero, slot after slot', () => {
      let slots = loadedAt(begin);
      for (let slot = 0; slot < SLOTS; slot++) {
        slots = told(slots, begin + slot * SLOT);
      }
      expectSteady(slots);
      expect(slots.total.perSecond).toBe(17);
    });

    it('has none when slots are told together, again, or late', () => {
      let slots = loadedAt(begin);
      for (let slot = 0; slot < SLOTS; slot += 4) {
        for (const next of [slot + 1, slot, slot + 1, slot + 3, slot + 2, slot - 5]) {
          slots = told(slots, begin + next * SLOT);
        }
      }
      expectSteady(slots);
    });
  });
}

describe('an hour that is not steady', () => {
  it('has a gap where no gateway ran, and the rate is of the time in which one did', () => {
    let slots = loadedAt(0);
    for (let slot = 0; slot < SLOTS; slot++) {
      // A restart of a quarter of a minute.
      slots = slot >= 100 && slot < 103 ? slots : told(slots, slot * SLOT);
    }
    expect(slots.slots.filter((slot) => !isReported(slot)).map(({ at }) => at / SLOT)).toEqual([
      100, 101, 102,
    ]);
    expect(slots.total.perSecond).toBe(17);
  });

  it('stays an hour when the clock of a control plane is set forward and back', () => {
    let slots = told(loadedAt(0), 600_000);
    expect(slots.slots).toHaveLength(SLOTS);
    expect(slots.slots.at(-1)?.at).toBe(600_000);
    expect(slots.slots.filter((slot) => !isReported(slot))).toHaveLength(120);
    for (let slot = 0; slot < 120; slot++) {
      slots = told(slots, slot * SLOT);
    }
    expectSteady(slots);
  });
});
