DROP INDEX "quarry"."conversations_newest";--> statement-breakpoint
CREATE INDEX "conversations_of_agent" ON "quarry"."conversations" USING btree ("organization_id","agent_id","id");--> statement-breakpoint
CREATE INDEX "messages_of_visitor" ON "quarry"."messages" USING btree ("organization_id","visitor_id","conversation_id");--> statement-breakpoint
CREATE INDEX "conversations_newest" ON "quarry"."conversations" USING btree ("organization_id","id");