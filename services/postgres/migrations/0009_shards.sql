-- Up Migration

-- If one projector does not keep up with a read model, several projectors fold it. Each folds the streams of
-- one shard and has a separate row. All rows of a read model have the same number of shards.
ALTER TABLE projection.checkpoint ADD COLUMN shard integer NOT NULL DEFAULT 0;
ALTER TABLE projection.checkpoint ADD COLUMN shards integer NOT NULL DEFAULT 1;
ALTER TABLE projection.checkpoint ADD CHECK (shard >= 0 AND shard < shards);
ALTER TABLE projection.checkpoint DROP CONSTRAINT checkpoint_pkey;
ALTER TABLE projection.checkpoint ADD PRIMARY KEY (name, version, shard);
