import { keepSession, type SessionOptions } from './kept-session.ts';

export interface ListenerOptions extends Pick<SessionOptions<void>, 'url' | 'log'> {
  /** The connection's name, as Postgres shows it before ` listener`. */
  name: string;
  channel: string;
  onNotice: (payload: string) => void;
  /** Called whenever listening begins or `onNotice` throws: a notice may have been missed. */
  onGap: () => void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Receives a channel's notices on its own connection, which is made again whenever it breaks or falls silent. */
export const openListener = ({ url, name, channel, onNotice, onGap, log }: ListenerOptions): Listener =>
  keepSession({
    url,
    name: `${name} listener`,
    log,
    begin: async (client) => {
      client.on('notification', ({ payload = '' }) => {
        try {
          onNotice(payload);
        } catch (error) {
          // Every role of the database may notify any channel with any payload.
          log.warn({ error, event: 'notice_not_read' }, 'a notice could not be read');
          onGap();
        }
      });
      await client.query(`listen ${channel}`);
      onGap();
    },
  });
