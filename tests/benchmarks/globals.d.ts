// What the benchmarks put on the window.

export {};

declare global {
  interface Window {
    measures: object;
  }
}
