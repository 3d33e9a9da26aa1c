// A device's queue as a file (« Actions en attente »). The manifest names the same to the system, so that such a file opens the application.

export const queueExtension = '.comptoir'
export const queueType = 'application/x-comptoir-queue+json'
