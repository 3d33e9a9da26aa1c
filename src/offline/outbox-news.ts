import { newsChannel } from './news-channel.ts'

export type OutboxNews = { ids: string[]; to_send: boolean }

export const { tell: tellOutbox, watch: watchOutbox } = newsChannel<OutboxNews>('comptoir-outbox')
