ALTER TABLE "quarry"."datastores" ADD COLUMN "expiry_days" integer;--> statement-breakpoint
ALTER TABLE "quarry"."datastores" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."datastores" ADD COLUMN "expired_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "datastores_expiry" ON "quarry"."datastores" USING btree ("expires_at") WHERE "quarry"."datastores"."expires_at" is not null and "quarry"."datastores"."expired_at" is null;