"""What ships for people who write adapters: the contracts every adapter of a port must pass.

Subclass a contract in a test file of your own, hand over a fresh adapter, and run pytest:

    from recollect.testing.store import StoreContract

    class TestMyStore(StoreContract):
        def make_store(self):
            return MyStore(...)

Nothing in a contract can be switched off: an adapter that passes part of it does not pass.
"""
