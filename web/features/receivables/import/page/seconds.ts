/** `0.1 s`, `3.8 s`, `1 min 12 s`. A line does not break within it. */
export function seconds(ms: number): string {
  if (ms < 60_000) return `${Math.max(0.1, ms / 1000).toFixed(1)}\u00a0s`
  const whole = Math.round(ms / 1000)
  return `${Math.floor(whole / 60)}\u00a0min\u00a0${whole % 60}\u00a0s`
}
