import { newsChannel } from './news-channel.ts'

const { tell, watch } = newsChannel<null>('comptoir-session')

/** Tells every page of this device. */
export const tellSessionRefused = (): void => tell(null)

export const watchSessionRefused = (listener: () => void): (() => void) => watch(() => listener())
