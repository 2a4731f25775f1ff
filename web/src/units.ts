// Numbers with units, as people write them.

const kPrefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

/** Three significant digits, without an exponent where that is short. */
export function plain(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(digits))).replace("-", "−");
  const [lead, power] = value.toExponential(digits - 1).split("e");
  return `${Number(lead)}e${Number(power)}`.replaceAll("-", "−");
}

/** With a prefix before the unit, as 12.3 mm; below nano, and for kg, with an exponent. */
export function withUnit(value: number, unit: string): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (unit === "" || unit === "rad/s" || size === 0) return `${plain(value)}${unit && ` ${unit}`}`;
  const prefix = kPrefixes.find(([factor]) => size >= 0.9995 * factor);
  return prefix ? `${plain(value / prefix[0])} ${prefix[1]}${unit}` : `${plain(value)} ${unit}`;
}

/** Seconds with as many decimals as the frames call for. */
export function clock(t: number, step: number): string {
  const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(step) - 1e-9)));
  return t.toFixed(decimals).replace("-", "−");
}

/** The nearest of 1, 2, 5 times a power of ten at or below. */
export function round125(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
