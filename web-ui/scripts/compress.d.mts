import type { Plugin } from 'vite';

export function compressed(): Plugin;
export function withinBudget(): Plugin;
