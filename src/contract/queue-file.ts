// The manifest must name the same extension and type, so that the file opens the application.

export const queueExtension = '.comptoir'
export const queueType = 'application/x-comptoir-queue+json'
