"""recollect: the memory of an AI assistant that can account for itself."""
