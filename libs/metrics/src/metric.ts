/** A metric as plain data. */
export interface Metric {
  /** A counter only rises. A gauge is read whenever metrics are. A histogram counts durations by how long they took. */
  kind: 'counter' | 'gauge' | 'histogram';
  /**
   * With `s` the metric's name must end in `seconds`: a collector would add this on the way to Prometheus, Prometheus' own
   * exporter would not, and the rules of alerts need one name.
   */
  unit?: 's';
  /** For each attribute all its values, or a sentence that says which. None may be an id, an amount or a card. */
  attributes: Readonly<Record<string, readonly string[] | string>>;
  means: string;
  /** The services that count it. */
  by: string;
}
