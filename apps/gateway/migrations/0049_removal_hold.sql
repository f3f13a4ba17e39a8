CREATE TABLE "quarry"."removal_hold" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"held_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- Begins a backup: for at most the given duration, deleted content stays in the blob store and in the fragment store. Returns
-- the end of this time.
CREATE FUNCTION quarry.hold_removals(duration interval) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
	ends timestamptz := now() + duration;
BEGIN
	-- Waits for the transactions that have recorded removals. They have written jobs, because they do not see the new row.
	LOCK TABLE quarry.removals IN SHARE MODE;
	INSERT INTO quarry.removal_hold (held_until) VALUES (ends) ON CONFLICT (id) DO UPDATE SET held_until = ends;
	RETURN ends;
END;
$$;
--> statement-breakpoint
-- Ends a backup.
CREATE FUNCTION quarry.release_removals() RETURNS void LANGUAGE sql AS $$
	DELETE FROM quarry.removal_hold;
$$;
--> statement-breakpoint
-- Completes a restore. The fragment store can contain documents of runs that the restored database does not contain. Later
-- runs need greater generations than those, or their documents and removals would count as outdated. Also ends the backup
-- in which the database was saved.
CREATE FUNCTION quarry.complete_restore() RETURNS void LANGUAGE sql AS $$
	SELECT setval('quarry.runs_generation_seq', nextval('quarry.runs_generation_seq') + 1000000000);
	SELECT quarry.release_removals();
$$;
